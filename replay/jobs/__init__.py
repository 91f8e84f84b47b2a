"""From an upload to its reports: taken in, split into documents, audited a chunk at a time, and never lost."""
