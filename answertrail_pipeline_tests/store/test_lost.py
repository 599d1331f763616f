"""A database that goes away is said in one line; an error of ours keeps its traceback."""

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import DBAPIError

from answertrail_pipeline.store.database import Database, DatabaseLostError, transaction


def is_cut(database: Database, by: Database) -> None:
    """Work in a transaction whose connection another one ends."""
    with database.begin() as connection:
        pid = connection.execute(text("select pg_backend_pid()")).scalar()
        with by.begin() as other:
            other.execute(text("select pg_terminate_backend(:pid)"), {"pid": pid})
        connection.execute(text("select 1"))


def test_a_connection_that_an_administrator_ends(database: Database, second_database: Database) -> None:
    with pytest.raises(DatabaseLostError, match="What was finished is kept"):
        is_cut(database, second_database)
    with database.begin() as connection:  # the pool has dropped the dead connection
        assert connection.execute(text("select 1")).scalar() == 1


def test_a_server_that_is_not_there() -> None:
    engine = create_engine("postgresql+psycopg://u@127.0.0.1:1/x")
    with pytest.raises(DatabaseLostError), transaction(engine):
        pass


@pytest.mark.parametrize(
    ("state", "lost"),
    [("53100", True), ("57P01", True), ("58030", True), ("40P01", False), ("23505", False), ("42601", False)],
)
def test_which_errors_are_the_servers_trouble(database: Database, state: str, lost: bool) -> None:
    # disk full, shutdown, I/O error; a deadlock, a duplicate key and bad SQL are bugs.
    raised = text(f"do $$ begin raise exception 'no' using errcode = '{state}'; end $$")
    expected = DatabaseLostError if lost else DBAPIError
    with pytest.raises(expected), database.begin() as connection:
        connection.execute(raised)
