"""Statements that are compiled once. SQLAlchemy keeps no compiled form of one with ON CONFLICT, and compiles it again at each execution."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql
from sqlalchemy.ext.asyncio import AsyncConnection


class CompiledStatement:
    """A statement of PostgreSQL with parameters (`sqlalchemy.bindparam`), which have the types of the columns that they fill."""

    def __init__(self, statement: sa.ClauseElement) -> None:
        dialect = postgresql.dialect(paramstyle="named")  # type: ignore[no-untyped-call]  # SQLAlchemy has no types for it
        compiled: Any = statement.compile(dialect=dialect)
        binds = {name: bind for bind, name in compiled.bind_names.items()}
        self._constants = {name: bind.value for name, bind in binds.items() if not bind.required}
        self._text = sa.text(str(compiled)).bindparams(
            *(sa.bindparam(name, type_=bind.type) for name, bind in binds.items())
        )

    async def execute(self, connection: AsyncConnection, values: Mapping[str, Any]) -> sa.CursorResult[Any]:
        """Execute it. values: of its parameters."""
        return await connection.execute(self._text, {**self._constants, **values})
