"""What the tables share: the metadata with its naming convention, column types and the clock."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

metadata: Final = sa.MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)

Moment = sa.DateTime(timezone=True)
Money = sa.Numeric(20, 10)


def now() -> sa.TextClause:
    """The database's clock, which is the only clock that leases and retention know."""
    return sa.text("clock_timestamp()")
