"""What can be printed: an audit or a case as one file, its pictures of the table, and the same as a PDF."""
