"""Taking logs in: the start page, what may come, the page of an upload, and removing one."""
