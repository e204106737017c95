"""Files for the fuzzer to mutate: studies, models, recordings, and everything else that a command reads."""

from __future__ import annotations

import base64
import contextlib
import gzip
import io
import json
import re
import shutil
import sqlite3
import tomllib
import warnings
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from peers.fuzz_process import run_command
from peers.mutations import mutate

ROOT = Path(__file__).parents[2]
TRIALS = "12"
"""Maximum number of trials of a command."""
CHECK = b'! grep -q "[37]" "$1"\n'
"""The script check.sh, the subject of most cases: it fails if its input contains the digit 3 or 7."""
INPUT = b'{"a": 3, "b": [true, 2.5, "word"], "c": {"d": 10}}'
"""An input with which it fails."""
Commands = list[list[str]]


@dataclass(frozen=True)
class Start:
    """A starting point: a file in a folder with everything else that the commands need."""

    folder: Path
    file: str
    commands: Sequence[list[str]]
    """Commands that read the file; one is chosen. ``@`` stands for the name of the file."""
    kind: str = ""
    """Files of the same kind are spliced."""
    inside: str = ""
    """The member to mutate, if the file is an archive."""

    def read(self) -> bytes:
        data = (self.folder / self.file).read_bytes()
        return zipfile.ZipFile(io.BytesIO(data)).read(self.inside) if self.inside else data

    def write(self, data: bytes, folder: Path) -> None:
        if not self.inside:
            (folder / self.file).write_bytes(data)
            return
        with (
            zipfile.ZipFile(self.folder / self.file) as old,
            zipfile.ZipFile(folder / self.file, "w", zipfile.ZIP_DEFLATED) as new,
        ):
            for name in old.namelist():
                new.writestr(name, data if name == self.inside else old.read(name))


@dataclass
class Group:
    """The starting points of a group, and how a case is made of one."""

    starts: list[Start]

    def make(self, chance: Random, folder: Path) -> tuple[str, Commands]:
        """Write the files of a case into the folder, and return the name of its start and its commands."""
        start = chance.choice(self.starts)
        shutil.copytree(start.folder, folder, dirs_exist_ok=True)
        kin = [one.read() for one in self.starts if one.kind == start.kind]
        start.write(mutate(chance, start.read(), kin), folder)
        return start.file, [[start.file if word == "@" else word for word in chance.choice(start.commands)]]


# Studies

HARMLESS: list[Any] = [
    ["cat", "{file}"],
    ["sh", "check.sh", "{config}"],
    ["sh", "check.sh", "{file}"],
    ["true"],
    ["false"],
    "sh check.sh {config}",
]
VERBS = {
    "reduce": "[elements]",
    "rule": "[failing]|failing =",
    "triggers": "[failing]|failing =",
    "find": "[fields]|[interface]",
    "causes": "[history]",
}
"""The verbs, and the parts of a study that each needs."""
OWN_STUDIES = [
    """
name = "all kinds"
nominal = [{ speed = 2.5, gear = "D", n = 2, level = "high", on = false, word = "b" }]
[subject]
command = ["sh", "check.sh", "{config}"]
timeout = 20
memory = "2G"
env = { LEVEL = "{n}" }
files = ["*.csv"]
[fields]
speed = { type = "float", lo = -100, hi = 100, step = 0.5 }
gear = { type = "choice", values = ["P", "R", "N", "D"] }
n = { type = "int", lo = 0, hi = 10 }
level = { type = "ordinal", values = ["low", "high"] }
on = "bool"
word = { type = "text", values = ["a", "b"] }
[failing]
speed = -1.0
gear = "R"
n = 3
level = "low"
on = true
word = "a"
[derived]
area = "speed * n"
hidden = 'word.startswith(".")'
[constraints]
never = ["n > 8 and on", "gear = P"]
[lab]
jobs = 2
trials = 12
seconds = 60
seed = 7
repeat = "1of2"
store = "runs.db"
""",
    """
[subject]
command = ["cat", "{file}"]
verdict = "12.3"
signature = "(12.*)"
cwd = "{dir}"
[elements]
file = "june.csv"
by = "rows"
""",
    """
[subject]
command = ["sh", "check.sh", "{config}"]
[elements]
list = ["a", 2, true, { x = 1.5 }, ["b"], 2020-01-01]
keep = ["a"]
""",
    """
[subject]
command = "sh check.sh {config}"
shell = true
[interface]
document = "failing.json"
""",
    """
failing = "one.json"
[subject]
command = ["sh", "check.sh", "{config}"]
measures = "$.measures"
tolerance = { x = 0.3 }
[interface]
csv = "cases.csv"
""",
    """
[subject]
command = ["sh", "check.sh", "{config}"]
[history]
file = "runs.csv"
verdict = "score < 0.6"
ignore = ["run"]
[pipeline]
graph = "graph.json"
""",
    """
[subject]
command = ["sh", "check.sh", "{file}"]
[data]
bad = "june.csv"
good = ["may.csv", "april.csv"]
key = "wine"
columns = ["alcohol"]
""",
    """
[traces]
model = "model.yaml"
files = ["*.asc", "*.log"]
params = { S3 = "500ms" }
ecus = { ECU = "7E0/7E8" }
[lab]
jobs = 1
""",
]


class Studies(Group):
    """Study files. A mutant is run only if it names a harmless command and no file elsewhere."""

    def make(self, chance: Random, folder: Path) -> tuple[str, Commands]:
        start = chance.choice(self.starts)
        shutil.copytree(start.folder, folder, dirs_exist_ok=True)
        kin = [one.read() for one in self.starts]
        while True:
            text = mutate(chance, start.read(), kin)
            subject = _harmless_subject(text)
            if subject is not None:
                break
        (folder / start.file).write_bytes(text)
        verb = chance.choice(start.commands)[0]
        limits = ["--trials", TRIALS, "--seconds", "30"]
        command = [verb, start.file, *(limits if subject and chance.random() < 0.6 else ["--dry-run"])]
        return start.file, [command]


def _harmless_subject(text: bytes) -> bool | None:
    """Return True if the study may be run, False if only a dry run is harmless, None if not even that."""
    try:
        study = tomllib.loads(text.decode())
    except (ValueError, RecursionError):
        return True  # it is refused
    if any(re.search(r"\.\.|://|^/(?!dev/zero$)|^~", one) for one in _strings(study)):
        return None
    subject = study.get("subject")
    if subject is None:
        return True
    if not isinstance(subject, dict):
        return False
    return subject.get("command", ["true"]) in HARMLESS and subject.get("function", "subject:check") == "subject:check"


def _strings(data: Any) -> Iterator[str]:
    left = [data]
    while left:  # not recursive: the data may be nested deeply
        one = left.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            left += [*one.keys(), *one.values()]
        elif isinstance(one, list):
            left += one


def make_studies(folder: Path) -> Studies:
    common = folder / "common"
    common.mkdir()
    for name in ("wines/*.csv", "husky/gap.sdf", "uds/requests.jsonl", "uds/model.yaml", "vehicle/*.json"):
        for file in (ROOT / "examples").glob(name):
            shutil.copy(file, common)
    for file in (ROOT / "tests/data/traces").glob("*.*"):
        shutil.copy(file, common)
    (common / "subject.py").write_text("def check(candidate):\n    assert '1' not in repr(candidate)\n")
    (common / "cases.csv").write_text(
        "speed:float,gear:int8,on:bool,mode:choice(P|R|D)\n1.5,1,true,P\n-2.0,0,false,R\n"
    )
    texts = [file.read_text() for file in sorted((ROOT / "examples").glob("*/*.toml"))]
    for page in sorted((ROOT / "docs").rglob("*.md")):
        blocks = re.findall(r'(?s)```toml\n(.*?)```|"""\\?\n(.*?)"""', page.read_text())
        texts += [block for pair in blocks for block in pair if re.search(r"(?m)^\[(subject|traces)\]", block)]
    files = {
        "check.sh": CHECK,
        "usual.json": b'{"speed": 2.5, "wheels": [true]}',
        "one.json": b'{"speed": 3.5, "gear": 1, "on": true, "mode": "P"}',
        "today.csv": (common / "june.csv").read_bytes(),
        "uds.yaml": (common / "model.yaml").read_bytes(),
        "log.jsonl": (ROOT / "examples/messages/log.jsonl").read_bytes(),
        "maze.sdf": (common / "gap.sdf").read_bytes(),
        "graph.json": b'{"read": {"downstream": ["fit"], "params": ["dataset"]}, "fit": {"params": ["imputer"]}}',
    }
    for name, content in files.items():
        (common / name).write_bytes(content)
    texts = [_make_harmless(text) for text in texts] + OWN_STUDIES
    starts = []
    for number, text in enumerate(texts):
        home = folder / str(number)
        shutil.copytree(common, home)
        if "plane" in text:
            for file in (ROOT / "examples/landing").glob("plane*.json"):
                shutil.copy(file, home)
        (home / "study.toml").write_text(text)
        fitting = [[verb] for verb, needs in VERBS.items() if any(part in text for part in needs.split("|"))]
        if run_command(["diagnose", "study.toml", "--dry-run"], home).answered:  # else it needs what is not here
            starts.append(Start(home, "study.toml", [["diagnose"], *fitting], "study"))
    return Studies(starts)


def _make_harmless(text: str) -> str:
    text = re.sub(r'(?m)^function = "[^"]*"', 'function = "subject:check"', text)
    placeholder = "{file}" if "[elements]" in text or "{file}" in text else "{config}"
    return re.sub(r"(?m)^command = .*$", f'command = ["sh", "check.sh", "{placeholder}"]', text)


# Models and recordings


def make_models(folder: Path) -> Group:
    traces = ROOT / "tests/data/traces"
    models = {
        "basic.yaml": ROOT / "examples/models/uds_basic.yaml",
        "ctr.yaml": ROOT / "examples/models/ctr.yaml",
        "uds.yaml": ROOT / "examples/uds/model.yaml",
        "lamp.xml": ROOT / "tests/data/models/lamp.xml",
        "somersault.pdx": ROOT / "tests/data/models/somersault.pdx",
    }
    texts = {name: path.read_bytes() for name, path in models.items()}
    for page in ("how-to/models.md", "how-to/triage.md", "explanation/triage.md"):
        for number, block in enumerate(re.findall(r"(?s)```yaml\n(.*?)```", (ROOT / "docs" / page).read_text())):
            texts[f"{Path(page).stem}{number}.yaml"] = block.encode()
    starts = []
    for name, content in texts.items():
        home = folder / name
        home.mkdir()
        for file in ("good.asc", "bad_s3.log", "bad_late.blf"):
            shutil.copy(traces / file, home)
        (home / "ctr.txt").write_text("[12ms] req CTR set 5\n[3ms] ack CTR set 5\n[900ms] req CTR get\n[1s]\n")
        (home / "lamp.txt").write_text("[12ms] press lamp press\n[3s] press lamp press\n[9s] off lamp off\n")
        (home / name).write_bytes(content)
        own = next((f"{word}.txt" for word in ("ctr", "lamp") if word in name), "")
        files = [own] if own else ["good.asc", "bad_s3.log", "bad_late.blf"]
        variant = ["--variant", "somersault_lazy"] if name.endswith(".pdx") else []
        commands = [
            ["model", "check", "@", *variant],
            ["model", "picture", "@", "-o", "picture.svg", *variant],
            ["triage", "--model", "@", *files, *variant],
            [
                "triage",
                "--model",
                "@",
                *files,
                *variant,
                "--report",
                "p.html",
                "--certificates",
                "c",
                "--junit",
                "j.xml",
            ],
        ]
        members = [""]
        if name.endswith(".pdx"):
            members += zipfile.ZipFile(home / name).namelist()
        starts += [Start(home, name, commands, Path(name).suffix, member) for member in members]
    recordings = [start for name, data in _recordings(folder) for start in _make_recording(folder, name, data)]
    return Group(starts * max(1, len(recordings) // len(starts)) + recordings)


def _make_recording(folder: Path, name: str, data: bytes) -> list[Start]:
    home = folder / f"recording-{name}"
    home.mkdir()
    shutil.copy(ROOT / "examples/uds/model.yaml", home)
    shutil.copy(ROOT / "tests/data/traces/bad_s3.asc", home / "other.asc")
    (home / name).write_bytes(data)
    annotated = ["triage", "--model", "model.yaml", "@", "--annotate", "notes", "--report", "page.html"]
    commands = [["triage", "--model", "model.yaml", "@", "other.asc"], annotated]
    if name.endswith(".cert.json"):
        commands = [["model", "verify", "@"], ["model", "verify", "@", "--model", "model.yaml", "--trace", "other.asc"]]
    return [Start(home, name, commands, Path(name).suffix)]


def _recordings(folder: Path) -> Iterator[tuple[str, bytes]]:
    import can

    from tests.formats.recordings.test_doip import doip, pcap, pcapng, talk

    for file in sorted((ROOT / "tests/data/traces").glob("bad_*.*")):
        yield file.name, file.read_bytes()
    frames = list(can.CanutilsLogReader(str(ROOT / "tests/data/traces/bad_s3.log")))
    writers = {"made.trc": can.TRCWriter, "made.csv": can.CSVWriter, "made.mf4": can.MF4Writer}
    for name, writer in writers.items():
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with writer(str(folder / name)) as target:
                for frame in frames:
                    target.on_message_received(frame)
        yield name, (folder / name).read_bytes()
    packets = talk([doip(b"\x10\x03"), doip(b"\x3e\x80"), doip(b"\x22\xf1\x90")])
    yield "made.pcap", pcap(packets)
    yield "made.pcapng", pcapng(packets, resolution=9)
    yield "events.csv", b"time,kind,ecu,operation,payload\n0.1,req,ECU,TesterPresent,\n0.2,res,ECU,TesterPresent,0\n"
    yield "events.jsonl", b'{"time": 0.1, "kind": "req", "ecu": "ECU", "operation": "Reset", "payload": "1"}\n' * 3
    yield "paper.txt", b"[12ms] req ECU TesterPresent 0\n[3ms] res ECU TesterPresent 0\n[9min]\n"
    where = folder / "certificates"
    where.mkdir()
    model, trace = ROOT / "examples/uds/model.yaml", ROOT / "tests/data/traces/bad_s3.asc"
    run_command(["triage", "--model", str(model), str(trace), "--certificates", str(where)], folder)
    for number, file in enumerate(sorted(where.iterdir())):
        yield f"{number}.cert.json", file.read_bytes()


# Inputs


def make_inputs(folder: Path) -> Group:
    starts: list[Start] = []

    def add(name: str, data: bytes, commands: Commands, **companions: bytes) -> None:
        home = folder / str(len(starts))
        home.mkdir()
        for file, content in {"check.sh": CHECK, **companions, name: data}.items():
            (home / file).write_bytes(content)
        starts.append(Start(home, name, commands, Path(name).suffix))

    def read(name: str) -> bytes:
        return (ROOT / name).read_bytes()

    some = ["--trials", TRIALS]
    fails_file, fails_config = ["--", "sh", "check.sh", "{file}"], ["--", "sh", "check.sh", "{config}"]
    reduce = [["reduce", "@", *more, *fails_file] for more in (some, some, ["--dry-run"])]
    fields = [
        [verb, "@", *more, *fails_config] for verb in ("rule", "triggers", "find") for more in (some, ["--dry-run"])
    ]
    json_cuts = [["reduce", "@", "--by", by, *some, *fails_file] for by in ("json", "tokens", "chars")]
    for name in ("vehicle/failing.json", "landing/plane.json"):
        add("input.json", read(f"examples/{name}"), [*reduce, *json_cuts, *fields, *fields])
    small = b'{"speed": 1.5, "wheels": [{"on": true, "r": 10}, {"on": false, "r": -3}], "name": "a b", "none": null}'
    add("small.json", small, [*reduce, *fields, *fields])
    for name in ("models/ctr.yaml", "models/uds_basic.yaml"):
        add("input.yaml", read(f"examples/{name}"), reduce)
    worlds = ["tests/data/worlds/tb3__world.world", "examples/husky/gap.sdf", "tests/data/worlds/gz__tunnel.sdf"]
    path = b"t,x,y,z\n0,0,0,0\n1,0.5,0,0\n2,1,0.1,0\n"
    points = b"[[0,0,0],[1,0.5,0.1],[2,1,0.2]]"
    for name in worlds:
        add(Path(name).name, read(name), [*reduce, ["reduce", "@", "--by", "xml", *some, *fails_file]])
    scene = read(worlds[0])
    for name, data in {"path.csv": path, "path.json": points}.items():
        add(name, data, [["reduce", "world.sdf", "--trajectory", "@", *some, *fails_file]], **{"world.sdf": scene})
    add("scene.xml", MJCF, reduce)
    add("robot.urdf", URDF, reduce)
    add("input.xml", read("tests/data/models/lamp.xml"), reduce)
    add(
        "log.jsonl",
        read("examples/messages/log.jsonl"),
        [*reduce, ["reduce", "@", "--by", "messages", *some, *fails_file]],
    )
    add("input.txt", read("examples/landing/parameters.txt"), [*reduce, *json_cuts[1:]])
    add("picture.png", read("docs/report.png")[:40_000], reduce)
    add("code.py", read("examples/husky/gap.py"), [*reduce, json_cuts[1]])
    tables = [["causes", "@", "--verdict", "score < 0.6", *some, *more] for more in ([], fails_config)]
    tables += [["import", "@", "--verdict", "score < 0.6", "-o", "history.jsonl"], *reduce]
    for name in ("pipeline/runs.csv", "wines/runs.csv"):
        add("runs.csv", read(f"examples/{name}"), tables)
        add("runs.parquet", _to_parquet(read(f"examples/{name}")), tables[:3])
        add("runs.jsonl", _to_json_lines(read(f"examples/{name}")), tables)
    for bad, good in (("bad.csv", "good.csv"), ("bad.parquet", "good.parquet")):
        convert = _to_parquet if bad.endswith("parquet") else bytes
        content = convert(read("examples/rows/tonight.csv"))
        other = convert(read("examples/rows/night1.csv"))
        first = read("examples/rows/tonight.csv").partition(b",")[0].decode()
        commands = [["rows", bad, good, "--key", first, *more, *fails_file] for more in (some, ["--dry-run"])]
        add(bad, content, commands, **{good: other})
        add(good, other, commands, **{bad: content})
    add("graph.json", read("examples/instrument/graph.json"), [["instrument", "@"], ["instrument", "@", "--json"]])
    tracking = ROOT / "tests/data/tracking"
    for name in ("mlflow", "optuna"):
        database = folder / f"{name}.db"
        with contextlib.closing(sqlite3.connect(database)) as connection:
            connection.executescript((tracking / f"{name}.sql").read_text())
        option = {"mlflow": "--experiment", "optuna": "--study-name"}[name]
        add(database.name, database.read_bytes(), [["import", "@", option, "train", "-o", "history.csv"]])
    add("optuna.log", (tracking / "optuna.log").read_bytes(), [["import", "@", "--study-name", "train"]])
    for name, content in _bags(folder):
        add(
            name,
            content,
            [*reduce, ["reduce", "world.sdf", "--trajectory", "@", *some, *fails_file]],
            **{"world.sdf": scene},
        )
    starts += _hydra(folder, tracking)
    for name, content in _reports(folder):
        add(name, content, [["report", "@", "-o", "new.html"], ["report", "@", "--markdown"]])
    study = '[subject]\ncommand = ["sh", "check.sh", "{config}"]\n[interface]\n'
    find = [["find", "study.toml", *more] for more in (some, ["--dry-run"])]
    for name in ("plane.schema.json", "start.schema.json"):
        data = next((ROOT / "examples").glob(f"*/{name}")).read_bytes()
        add(name, data, find, **{"study.toml": f'{study}json_schema = "{name}"\n'.encode()})
    message = b"uint8 A=1\nstring<=10 name\nfloat64[3] xs\nbool[] flags\nint32 n 5\n"
    study += 'ros = "Thing.msg"\nlengths = { flags = 2 }\n'
    add("Thing.msg", message, find, **{"study.toml": study.encode()})
    return Group(starts)


MJCF = b"""<mujoco model="m"><option timestep="0.002"/><worldbody><light pos="0 0 3"/>
<geom name="floor" type="plane" size="5 5 .1"/>
<body name="box" pos="0 0 1"><freejoint/><geom type="box" size=".1 .1 .1"/>
<body name="arm" pos="0 0 .2"><joint name="j" type="hinge"/>
<geom type="capsule" fromto="0 0 0 0 0 .3" size=".05"/></body></body>
</worldbody><actuator><motor joint="j"/></actuator></mujoco>"""
URDF = b"""<robot name="r"><link name="base"><visual><geometry><box size="1 1 1"/></geometry></visual></link>
<link name="wheel"/><joint name="j" type="continuous"><parent link="base"/><child link="wheel"/>
<origin xyz="0 0 1" rpy="0 0 0"/></joint></robot>"""


def _to_parquet(data: bytes) -> bytes:
    import pyarrow.csv
    import pyarrow.parquet

    target = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.csv.read_csv(io.BytesIO(data)), target)
    return target.getvalue()


def _to_json_lines(data: bytes) -> bytes:
    head, *lines = data.decode().splitlines()
    names = head.split(",")
    cells = [[float(cell) if re.fullmatch(r"[\d.]+", cell) else cell for cell in line.split(",")] for line in lines]
    return "".join(json.dumps(dict(zip(names, row, strict=False))) + "\n" for row in cells).encode()


def _bags(folder: Path) -> Iterator[tuple[str, bytes]]:
    from tests.formats.documents.test_bags import bag

    for kind in ("ros1", "ros2.mcap", "ros2.db3"):
        home = folder / f"bag-{kind}"
        home.mkdir()
        path = bag(home, kind, [("/pose", "PoseStamped", i * 10**6, float(i)) for i in range(5)])
        yield path.name, path.read_bytes()


def _hydra(folder: Path, tracking: Path) -> list[Start]:
    starts = []
    for part in ("multirun", "mlruns"):
        home = folder / part
        shutil.copytree(tracking / part, home / part)
        files = [file.relative_to(home) for file in sorted((home / part).rglob("*")) if file.is_file()]
        starts += [
            Start(
                home,
                str(file),
                [
                    ["import", part, "--result", "results.json"]
                    if part == "multirun"
                    else ["import", part, "--experiment", "train"]
                ],
                ".yaml",
            )
            for file in files[:4]
        ]
    return starts


def _reports(folder: Path) -> Iterator[tuple[str, bytes]]:
    home = folder / "reports"
    home.mkdir()
    (home / "check.sh").write_bytes(CHECK)
    (home / "x.json").write_bytes(INPUT)
    for verb, word in (("reduce", "{file}"), ("rule", "{config}"), ("find", "{config}")):
        for ending in ("html", "json"):
            name = f"{verb}.{ending}"
            run_command([verb, "x.json", "--trials", "60", "--report", name, "--", "sh", "check.sh", word], home)
            yield name, (home / name).read_bytes()
    embedded = re.compile(rb'class="rootward-document">[^<]*<')
    bomb = base64.b64encode(gzip.compress(b'{"a": [' + b"0," * (200 << 20) + b"0]}", 9))
    yield "bomb.html", embedded.sub(b'class="rootward-document">' + bomb + b"<", (home / "rule.html").read_bytes())
