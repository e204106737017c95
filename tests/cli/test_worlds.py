"""``rootward reduce`` on worlds and other documents: what is left opens again, and the input stays as it was."""

import json
import os
import shutil
import signal
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from tests.properties import few
from tests.waiting import PATIENCE

WORLD = Path(__file__).parents[1] / "data/worlds/husky__clearpath_playpen.world"
STUCK = """#!/bin/sh
echo run >> "{log}"
{wait}
for name in {names}; do grep -q "model name='$name'" "$1" || exit 0; done
exit 3
"""
NEEDED = ["jersey_barrier_3", "jersey_barrier_7"]
SHORTEST = "".join(f"model name='{name}'" for name in NEEDED)
FLAKY = """
for name in jersey_barrier_3 jersey_barrier_7; do grep -q "'$name'" "$1" || exit 0; done
[ $(($2 % 4)) = 0 ] || exit 4
"""


@pytest.fixture
def arena(bench):
    """The world in the bench's folder, beside a command that fails if two of its models are there."""
    shutil.copy(WORLD, bench.folder / "arena.world")
    command(bench)
    return bench


def command(bench, *names: str) -> None:
    path, wait = bench.folder / "stuck.sh", bench.held("arena.reduced.world")
    text = STUCK.format(log=bench.folder / "runs.log", wait=wait, names=" ".join(names or NEEDED))
    path.write_text(text)
    path.chmod(0o755)


def reduce(bench, *options: str, run: str = "./stuck.sh {file}", file: str = "arena.world") -> int:
    return bench.here("reduce", file, "--run", run, *options)


def models(path: Path) -> list[str]:
    world = ElementTree.parse(path).getroot().find("world")
    return [model.get("name", "") for model in world.findall("model")]


def test_the_models_that_matter_in_a_world_that_opens_again(arena, capsys):
    """What is left is as it was written, and what was left on the way fails too."""
    assert reduce(arena, "--by", "models") == 0
    said = capsys.readouterr()
    headline, failure, *listed = said.out.splitlines()[:4]
    assert failure.startswith("Failure: exit code ")
    assert headline == "2 of 36 models are enough to make it fail; without any one of them it no longer fails."
    assert [line.split()[1] for line in listed] == NEEDED
    assert "The reduced file is arena.reduced.world." in said.out
    assert models(arena.folder / "arena.reduced.world") == NEEDED
    assert (arena.folder / "arena.world").read_bytes() == WORLD.read_bytes()
    assert arena.runs <= 45

    before, after = (WORLD.read_text(), (arena.folder / "arena.reduced.world").read_text())
    rest = iter(before.splitlines())
    assert all(line in rest for line in after.splitlines() if line.strip()), "lines were removed and nothing else"
    assert "<light" in after
    world = ElementTree.fromstring(after).find("world")
    state = world.find("state")
    assert {model.get("name") for model in state.findall("model")} <= {"ground_plane", *NEEDED}

    steps = sorted(next((arena.folder / ".rootward/steps").glob("arena.world-*")).iterdir())
    assert [path.suffix for path in steps] == [".world"] * len(steps)
    sizes = [len(models(path)) for path in steps]
    assert sizes == sorted(set(sizes))
    assert sizes[0] == 2 < sizes[-1] < 36
    codes = [subprocess.run([arena.folder / "stuck.sh", path]).returncode for path in steps]
    assert set(codes) == {3}


def test_a_world_is_shortened_to_its_models_and_then_as_text(arena, capsys):
    assert reduce(arena, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["element"] for one in found["parts"]["kept"]] == NEEDED
    assert (found["of"], found["bytes"], found["content"]) == (len(WORLD.read_bytes()), len(SHORTEST), SHORTEST)
    assert (arena.folder / "arena.reduced.world").read_text() == SHORTEST
    assert (arena.folder / "arena.world").read_bytes() == WORLD.read_bytes()
    lines = WORLD.read_text().splitlines()
    assert [lines[number - 1].strip() for number in found["lines"]] == [f"<model name='{name}'>" for name in NEEDED]
    steps = sorted(next((arena.folder / ".rootward/steps").glob("arena.world-*")).iterdir())
    assert steps[0].read_text() == SHORTEST
    codes = [subprocess.run([arena.folder / "stuck.sh", path]).returncode for path in steps]
    assert set(codes) == {3}


def test_what_must_stay(arena, capsys):
    assert reduce(arena, "--keep", "ground_plane", "--keep", "jersey_barrier_1?", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    kept = [one["element"] for one in found["kept"]]
    assert {"ground_plane", "jersey_barrier_10", "jersey_barrier_11", *NEEDED} <= set(kept)
    assert sorted(one["element"] for one in found["kept"] if not one["pinned"]) == NEEDED
    assert models(arena.folder / "arena.reduced.world") == kept


def test_enough_is_enough(arena, capsys):
    assert reduce(arena, "--stop-at", "50%", "--json", "--store", "text.db") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["bytes"] <= found["of"] / 2
    assert (found["complete"], found["minimal"]) == (True, False)
    (arena.folder / "runs.log").unlink()
    assert reduce(arena, "--by", "models", "--stop-at", "50%", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert 2 <= len(found["kept"]) <= 18
    assert found["complete"]
    assert not found["minimal"]
    early = arena.runs
    assert reduce(arena, "--by", "models", "--fresh", "-q") == 0
    assert early < arena.runs - early


def test_a_flaky_world(arena, capsys):
    (arena.folder / "drive.sh").write_text(FLAKY)
    run = "sh drive.sh {file} {seed}"
    assert reduce(arena, "--by", "models", "--seed", "1", "--share", "60%", "--json", "-j", "2", run=run) == 0
    found = json.loads(capsys.readouterr().out)
    assert {one["element"] for one in found["kept"]} >= set(NEEDED)
    assert len(found["kept"]) <= 4
    assert found["share"] == 0.6
    assert found["confidence"] >= 0.95
    assert found["original"]["fails"] < found["original"]["runs"]
    assert found["result"]["runs"] >= 4
    assert found["again"]["runs"] <= found["result"]["runs"]
    assert models(arena.folder / "arena.reduced.world") == [one["element"] for one in found["kept"]]
    assert (arena.folder / "arena.world").read_bytes() == WORLD.read_bytes()


def test_steady_although_it_takes_a_seed_and_flaky_although_it_does_not(arena, capsys):
    assert reduce(arena, "--by", "models", "--flaky", "no", "--json", run="./stuck.sh {file} {seed}") == 0
    assert json.loads(capsys.readouterr().out)["original"] is None
    assert reduce(arena, "--by", "models", "--flaky", "yes", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["original"]["fails"] == found["original"]["runs"] > 1
    assert [one["element"] for one in found["kept"]] == NEEDED


@pytest.mark.parametrize("way", few(1, ["t,x,y,z\n0,0,0,0\n1,2,2,0\n", "0,0,0\n1,5,5\n"]))
def test_a_trajectory_is_on_the_map(arena, capsys, way):
    (arena.folder / "way.csv").write_text(way)
    assert reduce(arena, "--trajectory", "way.csv", "--json") == 0
    found = json.loads(capsys.readouterr().out)["parts"]
    assert len(found["map"]["before"]) == 2
    assert len(found["map"]["elements"]) == 36
    assert [one["name"] for one in found["map"]["elements"] if one["kept"]] == NEEDED


def test_ddenv_on_a_world(bench, capsys):
    boxes = [f"<model name='{name}'><pose>{i} 0 0 0 0 0</pose></model>" for i, name in enumerate("abcdef")]
    (bench.folder / "small.sdf").write_text(f"<sdf version='1.6'><world name='w'>{''.join(boxes)}</world></sdf>")
    (bench.folder / "way.csv").write_text("0,0,1\n1,5,1\n")
    command(bench, "b", "e")
    options = ["--method", "ddenv", "--partition", "model2model", "--priority", "average-trajectory-proximal"]
    assert reduce(bench, "--trajectory", "way.csv", *options, "-q", "--timeout", str(PATIENCE), file="small.sdf") == 0
    assert models(bench.folder / "small.reduced.sdf") == ["b", "e"]
    assert capsys.readouterr().out.startswith("2 of 6 models are enough")


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--keep", "nobody"], "no model to keep is named nobody, or matches it"),
        (["--stop-at", "0"], "--stop-at 0: expected a share such as 90% or 0.9"),
        (["--stop-at", "most"], "--stop-at most: expected a share such as 90% or 0.9"),
        (["--stop-at", "101%"], "--stop-at 101%: expected a share such as 90% or 0.9"),
        (["--share", "nan"], "--share nan: expected a share such as 90% or 0.9"),
        (["--confidence", "-5%"], "--confidence -5%: expected a share such as 90% or 0.9"),
        (["--trajectory", "none.csv"], "none.csv"),
        (["--timing", "close"], "cut into models, which have no times: use timing only with messages"),
        (["--by", "json"], "arena.world"),
        (["--method", "ddenv", "--flaky", "70%"], "ddenv repeats passing runs itself"),
        (["--method", "ddmin", "--partition", "timeseg"], "ddmin has no option partition"),
        (["--tolerance", "x"], "--tolerance x: expected NAME=NUMBER, such as x=0.3"),
        (["--tolerance", "x=0.3"], "tolerance needs measures"),
        (["--measures", "x"], "measures must be a path such as $.measures, got 'x'"),
    ],
)
def test_a_wrong_question_is_exit_code_2(arena, capsys, options, complaint):
    assert reduce(arena, *options) == 2
    said = capsys.readouterr()
    assert complaint in said.err
    assert "unexpected" not in said.err
    assert said.err.count("\n") <= 4
    assert (said.out, arena.runs) == ("", 0)
    assert not (arena.folder / "arena.reduced.world").exists()


@pytest.mark.parametrize(
    ("run", "complaint"),
    [
        ("./stuck.sh 'unclosed {file}", "--run"),
        ("./stuck.sh arena.world", "write {file} instead of arena.world"),
        ("", "there is no command: after --, give the command that fails with arena.world"),
    ],
)
def test_a_command_that_is_none(arena, capsys, run, complaint):
    assert reduce(arena, run=run) == 2
    said = capsys.readouterr()
    assert complaint in said.err
    assert "unexpected" not in said.err


def test_two_commands_are_one_too_many(arena, capsys):
    assert reduce(arena, "--", "./other.sh", "{file}") == 2
    assert "--run" in capsys.readouterr().err
    assert arena.runs == 0


EMPTY = '<sdf version="1.6"><world name="w"><light name="sun"/></world></sdf>'
BOMB = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><sdf><world>&b;</world></sdf>'


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (EMPTY, "has no models in its <world>: there is nothing to remove"),
        ("", "odd.sdf"),
        ("<sdf><world name='w'><model name='a'>", "<model> is never closed"),
        ("<sdf><world></sdf></world>", "line 1"),
        ("\0\1\2 no world", "odd.sdf"),
        (BOMB, "odd.sdf"),
    ],
)
def test_a_world_that_is_none_is_said_in_one_sentence(bench, capsys, text, complaint):
    (bench.folder / "odd.sdf").write_text(text)
    assert reduce(bench, "--by", "models", run="false {file}", file="odd.sdf") == 2
    said = capsys.readouterr()
    assert said.err.startswith("rootward: ")
    assert complaint in said.err
    assert "odd.sdf" in said.err
    assert said.err.count("\n") == 1
    assert "unexpected" not in said.err
    assert [path.name for path in bench.folder.iterdir()] == ["odd.sdf"]


@pytest.mark.parametrize("text", [EMPTY, "<sdf><world name='w'><model name='a'>", "\0\1 <sdf>"])
def test_a_world_that_is_none_is_shortened_as_text(bench, text):
    (bench.folder / "odd.sdf").write_text(text)
    assert reduce(bench, "-q", run="sh -c '! grep -qa sd {file}'", file="odd.sdf") == 0
    assert (bench.folder / "odd.reduced.sdf").read_text() == "sd"


def test_two_models_of_one_name_are_two(bench, capsys):
    """Only the second has a pose."""
    second = "<model name='box'><pose>1 2 3 0 0 0</pose></model>"
    (bench.folder / "twins.sdf").write_text(
        f"<sdf version='1.6'><world name='w'><model name='box'/>{second}<model name='c'/></world></sdf>"
    )
    assert reduce(bench, "--by", "models", "-q", "--verdict", "1 2 3", run="cat {file}", file="twins.sdf") == 0
    headline, *_, kept = capsys.readouterr().out.splitlines()
    assert headline == "1 of 3 models is enough to make it fail; without it, it no longer fails."
    assert kept == "  2  box (2)"
    assert (bench.folder / "twins.reduced.sdf").read_text() == (
        f"<sdf version='1.6'><world name='w'>{second}</world></sdf>"
    )


def test_a_world_that_does_not_fail(arena, capsys):
    command(arena, "no_such_model")
    assert reduce(arena) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert "the failing input did not fail when it was run: it passed" in said.err
    assert "Run it by hand with:\n  ./stuck.sh " in said.err
    assert not (arena.folder / "arena.reduced.world").exists()
    assert not (arena.folder / ".rootward/steps").exists()


# Whatever ends the process


@pytest.mark.parametrize("how", few(1, [signal.SIGINT, signal.SIGKILL]))
def test_the_world_on_disk_fails_whatever_ends_the_process(arena, how):
    reduced = arena.folder / "arena.reduced.world"
    code, out = arena.stopped(reduced.name, how, "reduce", "arena.world", "--run", "./stuck.sh {file}")
    assert code == (130 if how is signal.SIGINT else -signal.SIGKILL)
    assert subprocess.run([arena.folder / "stuck.sh", reduced]).returncode == 3
    assert 2 <= len(models(reduced)) < 36
    assert (arena.folder / "arena.world").read_bytes() == WORLD.read_bytes()
    if how is signal.SIGINT:
        assert "Repeat the command to continue from here." in out
    done = arena.said("reduce", "arena.world", "--run", "./stuck.sh {file}", "-q")
    assert done.returncode == 0, done.stderr
    assert reduced.read_text() == SHORTEST
    assert not [name for name in os.listdir(arena.folder) if name.endswith(".tmp")]


# Other documents


def test_values_of_json(bench, capsys):
    text = '{"a": [1, 2, {"bug": [null, 7]}], "b": {"c": "d"},\n "e": [[], {}]}\n'
    (bench.folder / "crash.json").write_text(text)
    assert reduce(bench, "-q", "--verdict", "7", run="cat {file}", file="crash.json") == 0
    assert (bench.folder / "crash.reduced.json").read_text() == "7"
    capsys.readouterr()
    assert reduce(bench, "--by", "json", "-q", "--verdict", "7", run="cat {file}", file="crash.json") == 0
    left = json.loads((bench.folder / "crash.reduced.json").read_text())
    assert left == {"a": [{"bug": [7]}]}
    assert capsys.readouterr().out.splitlines()[0].endswith("without any one of them it no longer fails.")
    assert (bench.folder / "crash.json").read_text() == text


def test_the_same_file_by_lines_and_by_tokens(bench):
    (bench.folder / "crash.txt").write_text("alpha beta\ngamma bug delta\nepsilon\n")
    run = "grep -c bug {file}"
    assert reduce(bench, "-q", "--verdict", "^1$", "--by", "lines", run=run, file="crash.txt") == 0
    assert (bench.folder / "crash.reduced.txt").read_text() == "gamma bug delta\n"
    assert reduce(bench, "-q", "--verdict", "^1$", "--by", "tokens", run=run, file="crash.txt") == 0
    assert (bench.folder / "crash.reduced.txt").read_text() == "bug"


@pytest.mark.parametrize(("timing", "time_of_last"), [("keep", 9.0), ("close", 1.0)])
def test_messages_keep_their_times_or_close_the_gaps(bench, timing, time_of_last):
    rows = [{"t": float(i), "say": "stop" if i in (0, 9) else "go"} for i in range(10)]
    (bench.folder / "log.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    options = ["--by", "messages", "--timing", timing, "--verdict", "^2$", "-q"]
    assert reduce(bench, *options, run="grep -c stop {file}", file="log.jsonl") == 0
    left = [json.loads(line) for line in (bench.folder / "log.reduced.jsonl").read_text().splitlines()]
    assert [row["say"] for row in left] == ["stop", "stop"]
    assert left[-1]["t"] == time_of_last
