"""The tables of the store. Increase ``VERSION`` with every change: a store of another version is refused.

``rows.py`` says what the checksums cover.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

VERSION = 3


class _Bytes(sa.LargeBinary):
    """Bytes that are handed to the driver as they are: the drivers of SQLite and PostgreSQL need no conversion."""

    def bind_processor(self, dialect: sa.Dialect) -> None:
        return None


metadata = sa.MetaData()
meta = sa.Table(
    "rootward_meta",
    metadata,
    sa.Column("name", sa.String(40), primary_key=True),
    sa.Column("value", sa.String(40), nullable=False),
)
runs = sa.Table(
    "rootward_runs",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("key", sa.String(32), nullable=False),
    sa.Column("epoch", sa.Integer, nullable=False),
    sa.Column("subject", sa.Text, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("settings", sa.Text, nullable=False),
    sa.Column("status", sa.String(20), nullable=False),
    sa.Column("started", sa.Float, nullable=False),
    sa.Column("updated", sa.Float, nullable=False),
    sa.Column("seconds", sa.Float, nullable=False),
    sa.Column("best", sa.Text, nullable=False),
    sa.Column("progress", sa.Text, nullable=False),
    sa.Column("partial", sa.Text, nullable=False),
    sa.Column("stop", sa.Float),
    sa.Column("checksum", sa.BigInteger, nullable=False),
    sa.UniqueConstraint("key", "epoch"),
)
trials = sa.Table(
    "rootward_trials",
    metadata,
    sa.Column("subject", sa.String(32), primary_key=True),
    sa.Column("epoch", sa.Integer, primary_key=True),
    sa.Column("key", sa.String(32), primary_key=True),
    sa.Column("attempt", sa.Integer, primary_key=True),
    sa.Column("run", sa.Integer, sa.ForeignKey("rootward_runs.id"), nullable=False, index=True),
    sa.Column("candidate", _Bytes, nullable=False),
    sa.Column("candidate_checksum", sa.BigInteger, nullable=False),
    sa.Column("seed", sa.BigInteger, nullable=False),
    sa.Column("verdict", sa.String(12), nullable=False),
    sa.Column("outcome", sa.Text, nullable=False),
    sa.Column("seconds", sa.Float, nullable=False),
    sa.Column("tries", sa.Integer, nullable=False),
    sa.Column("finished", sa.Float, nullable=False),
    sa.Column("checksum", sa.BigInteger, nullable=False),
)
findings = sa.Table(
    "rootward_findings",
    metadata,
    sa.Column("run", sa.Integer, sa.ForeignKey("rootward_runs.id"), primary_key=True),
    sa.Column("made", sa.Float, primary_key=True),
    sa.Column("complete", sa.Boolean, nullable=False),
    sa.Column("finding", sa.Text, nullable=False),
    sa.Column("checksum", sa.BigInteger, nullable=False),
)
labs = sa.Table(
    "rootward_labs",
    metadata,
    sa.Column("owner", sa.String(200), primary_key=True),
    sa.Column("subject", sa.String(32), nullable=False),
    sa.Column("epoch", sa.Integer, nullable=False),
    sa.Column("beat", sa.Integer, nullable=False),
)
claims = sa.Table(
    "rootward_claims",
    metadata,
    sa.Column("subject", sa.String(32), primary_key=True),
    sa.Column("epoch", sa.Integer, primary_key=True),
    sa.Column("key", sa.String(32), primary_key=True),
    sa.Column("attempt", sa.Integer, primary_key=True),
    sa.Column("owner", sa.String(200), nullable=False, index=True),
)
ROWS = (runs, trials, findings)
"""The tables whose rows carry a checksum, referenced ones first."""


def read_raw(table: sa.Table, *names: str) -> list[sa.ColumnElement[Any]]:
    """Return the columns with these names, or all, for a query that reads values as they are.

    A damaged row may hold a value of any type, which SQLAlchemy would fail to convert.
    """
    chosen = names or tuple(table.c.keys())
    return [sa.type_coerce(table.c[name], sa.types.NullType()).label(name) for name in chosen]
