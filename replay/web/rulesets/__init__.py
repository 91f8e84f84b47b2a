"""The pages of rule sets: listed, compared, made, and chosen from."""
