"""The pages of a report: what was found, what is owed, what explains it, and who else may see it."""
