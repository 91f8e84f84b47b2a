"""Alembic's environment: the engine comes from `replay.store.upgrade`."""

from alembic import context

from replay.store.tables import metadata

engine = context.config.attributes["engine"]

with engine.connect() as connection:
    context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
    with context.begin_transaction():
        context.run_migrations()
    connection.commit()
