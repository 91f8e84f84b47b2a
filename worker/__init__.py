"""The Celery application and what keeps its workers honest; the work itself is `replay.jobs`."""
