"""What the service keeps: tables, the database they are in, and the files beside it."""
