"""The pages of accounts: signing in and out, one's own account, and all of them for an admin."""
