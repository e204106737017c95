"""Stores for the fuzzer to damage: their bytes, their tables, and rows with a checksum that matches."""

from __future__ import annotations

import contextlib
import json
import shutil
import sqlite3
import zlib
from pathlib import Path
from random import Random
from typing import Any

from peers.fuzz_files import CHECK, INPUT, ROOT, TRIALS, Commands, Group, Start
from peers.fuzz_process import RUNS, run_command
from peers.mutations import changed_tree, flip_bits, insert_odd_bytes, mutate, odd_data

TABLES = ("rootward_runs", "rootward_trials", "rootward_findings", "rootward_meta")


class Stores(Group):
    """Damaged stores: bytes, tables, or rows that are odd but carry a matching checksum."""

    def make(self, chance: Random, folder: Path) -> tuple[str, Commands]:
        start = chance.choice(self.starts)
        shutil.copytree(start.folder, folder, dirs_exist_ok=True)
        if start.file != "rootward.db":
            start.write(mutate(chance, start.read(), [start.read()]), folder)
            return start.file, [[start.file if word == "@" else word for word in one] for one in start.commands]
        path = folder / ".rootward" / "rootward.db"
        how = chance.choice((_damage_bytes, _change_tables, _change_tables, _forge_rows, _forge_rows))
        try:
            how(chance, path)
        except (sqlite3.Error, OverflowError, UnicodeError):
            _damage_bytes(chance, path)
        return how.__name__.strip("_"), _store_commands(chance)


def _store_commands(chance: Random) -> Commands:
    number = str(chance.choice(RUNS))
    choices: list[list[str]] = [
        ["runs"],
        ["runs", "--json"],
        ["runs", "show", number],
        ["runs", "show", number, "--json"],
        ["runs", "export", number, "-o", chance.choice(("t.csv", "t.jsonl", "t.parquet"))],
        ["runs", "check"],
        ["runs", "check", "--repair"],
        ["runs", "clean"],
        ["runs", "stop", number],
        ["report", number, "-o", "r.html"],
        ["report", number, "--markdown"],
        ["report", ".rootward/rootward.db", "-o", "r.json"],
        ["reduce", "x.json", "--trials", TRIALS, "--", "sh", "check.sh", "{file}"],
        ["(serve)"],
        ["(serve)"],
    ]
    return chance.sample(choices, 2)


def _damage_bytes(chance: Random, path: Path) -> None:
    data = bytearray(path.read_bytes())
    for _ in range(chance.choice((1, 1, 2, 4))):
        start = chance.randrange(len(data)) if len(data) else 0
        end = start + chance.choice((1, 16, 300, 4096, 20_000))
        match chance.randrange(6):
            case 0 | 1:
                data = bytearray(flip_bits(chance, bytes(data), ()))
            case 2:
                del data[start:]
            case 3:
                data[start:end] = bytes(len(data[start:end]))
            case 4:
                data[start:end] = chance.randbytes(len(data[start:end]))
            case 5:
                data = bytearray(insert_odd_bytes(chance, bytes(data), ()))
    path.write_bytes(data)


ODD_CELLS: list[Any] = [
    None, "", "garbage", "[]", "{}", "[" * 100_000, '{"verdict": "maybe"}', -1, 0, 2**62, -(2**63), 1e300, float("inf"),
    b"\xff\0\xfe", b"", "\0", "\x1b[2J", "9" * 5000, "nan", "x" * 1_000_000, zlib.compress(b"0" * 10_000),
]  # fmt: skip


def _change_tables(chance: Random, path: Path) -> None:
    """Change values, rows, columns and tables by SQL."""
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        for _ in range(chance.choice((1, 1, 2, 5))):
            table = chance.choice(TABLES)
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            if not columns:  # it was renamed before
                continue
            column = chance.choice(columns)
            some = f"WHERE rowid % {chance.choice((1, 2, 5))} = 0"
            what = chance.randrange(10)
            if what < 6:
                if what < 4:
                    _loosen(connection, table)
                connection.execute(f"UPDATE {table} SET {column} = ? {some}", [chance.choice(ODD_CELLS)])
            else:
                connection.execute(
                    [
                        f"DELETE FROM {table} {some}",
                        f"ALTER TABLE {table} RENAME COLUMN {column} TO other",
                        f"ALTER TABLE {table} RENAME TO other{chance.randrange(1000)}",
                        f"INSERT INTO {table} SELECT * FROM {table}",
                    ][what - 6]
                )


def _loosen(connection: sqlite3.Connection, table: str) -> None:
    """Remove the constraints of a table, so that a column may hold anything."""
    connection.execute(f"CREATE TABLE loose AS SELECT * FROM {table}")
    connection.execute(f"DROP TABLE {table}")
    connection.execute(f"ALTER TABLE loose RENAME TO {table}")


def _forge_rows(chance: Random, path: Path) -> None:
    """Change rows and give them a checksum that matches, as a program that writes odd rows would."""
    from rootward.store import rows

    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.row_factory = sqlite3.Row
        table, columns, texts = chance.choice(
            [
                ("rootward_findings", rows._FINDING, ("finding",)),
                ("rootward_findings", rows._FINDING, ("finding",)),
                ("rootward_trials", rows._TRIAL, ("outcome", "candidate")),
                ("rootward_runs", rows._RUN, ("settings", "name", "best", "progress", "partial")),
            ]
        )
        for row in connection.execute(f"SELECT rowid AS place, * FROM {table}").fetchall():
            new, text = dict(row), chance.choice(texts)
            if text == "candidate":
                new[text] = _forge_candidate(chance, row[text])
                new["candidate_checksum"] = zlib.crc32(new[text])
            elif text == "name":
                new[text] = chance.choice(["\x1b[2J", "", "x" * 100_000, "<script>", "é\u202e", "a\nb"])
            elif text in ("best", "progress", "partial"):
                new[text] = rows.seal(_forge_json(chance, row[text][9:] or "{}"))
            else:
                new[text] = _forge_json(chance, row[text])
            read = {**new, "complete": new["complete"] == 1} if "complete" in new else new
            new["checksum"] = rows._checksum(read, columns)
            names = [name for name in new if name != "place"]
            changes = ", ".join(f"{name} = ?" for name in names)
            connection.execute(
                f"UPDATE {table} SET {changes} WHERE rowid = ?", [*(new[name] for name in names), new["place"]]
            )


def _forge_json(chance: Random, text: str) -> str:
    try:
        tree = json.loads(text)
    except ValueError:
        return json.dumps(odd_data(chance))
    for _ in range(chance.choice((1, 1, 3))):
        tree = changed_tree(chance, tree) if isinstance(tree, dict | list) and tree else odd_data(chance)
    return json.dumps(tree)


def _forge_candidate(chance: Random, data: bytes) -> bytes:
    from rootward.store import rows

    if chance.random() < 0.1:
        return zlib.compress(b"[" + b"0," * (40 << 20) + b"0]", 9)
    return rows.pack_candidate(_forge_json(chance, rows.unpack_candidate(data).decode()))


def make_stores(folder: Path) -> Stores:
    home = folder / "store"
    home.mkdir()
    (home / "x.json").write_bytes(INPUT)
    write_sample_runs(home)
    steps = folder / "steps"
    _write_steps(steps)
    small = [
        Start(steps, str(file.relative_to(steps)), [["runs", "step", "@"], ["runs", "clean"]])
        for file in sorted(steps.rglob("*-left*"))
    ]
    whole = Start(home, "rootward.db", [])
    return Stores([whole] * (12 * len(small)) + small)


def write_sample_runs(home: Path) -> None:
    """Make a store with a run of every verb that can be made quickly."""
    (home / "check.sh").write_bytes(CHECK)
    fails = ["--", "sh", "check.sh", "{config}"]
    (home / "wide.json").write_text(json.dumps({f"field {chr(97 + i % 26)}{i // 26}": i for i in range(60)}))
    (home / "runs.csv").write_bytes((ROOT / "examples/pipeline/runs.csv").read_bytes())
    run_command(["reduce", "x.json", "--", "sh", "check.sh", "{file}"], home)
    run_command(["rule", "x.json", "--trials", "40", *fails], home)
    run_command(["triggers", "wide.json", "--trials", "30", *fails], home)
    run_command(["causes", "runs.csv", "--verdict", "score < 0.6", "--trials", "12", *fails], home)
    run_command(["find", "x.json", "--trials", "10", *fails], home)
    with contextlib.closing(sqlite3.connect(home / ".rootward/rootward.db")) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")


def _write_steps(folder: Path) -> None:
    from rootward.formats.steps import Steps

    where = folder / ".rootward" / "steps" / "big.txt-00000000"
    where.mkdir(parents=True)
    steps, lines = Steps(where), [b"line %d of a long file\n" % i for i in range(20_000)]
    for kept in (15_000, 9000, 8990):
        steps.write(f"{kept:05}-left.txt", b"".join(lines[:kept]))
