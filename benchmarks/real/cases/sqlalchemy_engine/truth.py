"""Not each pool has a size or an overflow. A database in memory has a connection for each thread, without overflow."""

import random

from real.points import Point, grid

SOURCE = "SQLAlchemy 2.0 documentation, SQLite: Threading/Pooling Behavior; TypeError 'Invalid argument(s)'"
PACKAGES = ["SQLAlchemy==2.0.30"]
KIND = "options"
CONDITION = (
    "pool is NullPool or StaticPool, and pool_size > 0 or max_overflow; or max_overflow, and pool is "
    "SingletonThreadPool, or default with database = memory"
)


def fails(config: Point) -> bool:
    pool = config["pool"]
    if pool in ("NullPool", "StaticPool"):
        return config["pool_size"] > 0 or config["max_overflow"]
    single = pool == "SingletonThreadPool" or (pool == "default" and config["database"] == "memory")
    return single and config["max_overflow"]


def points(rng: random.Random) -> list[Point]:
    flags = (False, True)
    return grid(
        database=("memory", "file"),
        pool=("default", "QueuePool", "NullPool", "StaticPool", "SingletonThreadPool"),
        pool_size=range(21),
        max_overflow=flags,
        recycle=flags,
        pre_ping=flags,
    )
