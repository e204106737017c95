"""Values reach a command byte by byte, whatever they contain, and nothing in them is ever executed."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

import rootward as rw
from rootward.verdict import PASS, UNRESOLVED
from tests.properties import examples

Once = Callable[..., rw.Outcome]

# Writes its arguments and variables as the operating system gave them.
ECHO = """
import json, os, sys
words = [list(os.fsencode(word)) for word in sys.argv[2:]]
variables = {name.decode(): list(value) for name, value in os.environb.items() if name.startswith(b"VALUE_")}
with open(sys.argv[1] + "/seen.json", "w") as file:
    json.dump({"words": words, "variables": variables}, file)
print("seen")
"""

HARMLESS = {
    "quotes": 'it\'s "quoted"',
    "semicolon": "; touch {canary}",
    "and": "&& touch {canary} &",
    "newline": "a\ntouch {canary}\n",
    "substitution": "$(touch {canary})",
    "backticks": "`touch {canary}`",
    "quote then substitution": "'; touch {canary}; '",
    "pipe": "| tee {canary}",
    "redirection": "> {canary}",
    "dash": "-rf",
    "double dash": "--help",
    "empty": "",
    "blank": "  \t ",
    "placeholder": "{seed} {dir} {config} {v} {}",
    "format": "{0} %s %n ${HOME} $1 \\1 \\g<0>",
    "glob": "* ? [a-z] ~ ~root",
    "backslashes": "\\ \\\\ \\n \\'",
    "not ASCII": "Grüße, 世界, 🤖, e\u0301, \u202e",
    "control": "\x01\x1b[31m\x7f\r\b",
    "undecodable bytes": b"\xff\xfe\x80abc".decode("utf-8", "surrogateescape"),
    "long": "x" * 60_000,
}
LONE = "a\ud800b"


def with_canary(text: str, canary: Path) -> str:
    return text.replace("{canary}", str(canary))


def bytes_of(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


@pytest.fixture
def once(tmp_path: Path) -> Once:
    """Run one trial, without a lab around it."""
    return lambda command, candidate: command.run(candidate, seed=1, place=tmp_path / "trial")


@pytest.fixture
def canary(tmp_path: Path) -> Path:
    return tmp_path / "canary"


def folder(outcome: rw.Outcome) -> Path:
    """The trial's own folder, beside what it printed."""
    return Path(outcome.artifacts["output"]).with_suffix("")


def seen(outcome: rw.Outcome) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder(outcome) / "seen.json").read_text())
    return found


@pytest.fixture
def harmless(canary: Path) -> dict[str, str]:
    """All of them as the fields of one candidate: f0, f1 and so on."""
    return {f"f{n}": with_canary(text, canary) for n, text in enumerate(HARMLESS.values())}


def test_as_arguments_and_as_variables(once: Once, canary: Path, harmless: dict[str, str]) -> None:
    places = [f"{{{name}}}" for name in harmless]
    argv = [sys.executable, "-c", ECHO, "{dir}", *places, *(f"<{place}>{place}" for place in places), "{one}"]
    env = {f"VALUE_{name}": f"{{{name}}}" for name in harmless} | {"VALUE_AND_MORE": "={f0}"}
    outcome = once(rw.Command(argv, env=env), {**harmless, "one": 1})
    assert outcome.verdict is PASS, outcome.detail
    data = [bytes_of(value) for value in harmless.values()]
    assert [bytes(word) for word in seen(outcome)["words"]] == [*data, *(b"<%b>%b" % (one, one) for one in data), b"1"]
    variables = {name: bytes(value) for name, value in seen(outcome)["variables"].items()}
    assert variables.pop("VALUE_AND_MORE") == b"=" + data[0]
    assert variables == {f"VALUE_{name}": bytes_of(value) for name, value in harmless.items()}
    assert not canary.exists()


def test_through_a_shell_they_are_quoted(once: Once, canary: Path, harmless: dict[str, str]) -> None:
    echo = canary.with_name("echo.py")
    echo.write_text(ECHO)
    short = {name: value for name, value in harmless.items() if len(value) < 1000}
    long = next(name for name in harmless if name not in short)
    for fields in (short, {long: harmless[long]}):  # a shell gets all of its line as one argument
        words = " ".join(f"{{{name}}} --name={{{name}}}" for name in fields)
        outcome = once(rw.Command(f"{sys.executable} {echo} {{dir}} {words}", shell=True), fields)
        assert outcome.verdict is PASS, Path(outcome.artifacts["output"]).read_text()
        data = [bytes_of(value) for value in fields.values()]
        expected = [word for one in data for word in (one, b"--name=" + one)]
        assert [bytes(word) for word in seen(outcome)["words"]] == expected
    assert not canary.exists()


CONFIG = """
import json, sys
from pathlib import Path
seen = json.load(open(sys.argv[1]))
Path(sys.argv[2], "seen.json").write_text(json.dumps(seen))
print("seen")
"""


def test_through_config_everything_arrives(once: Once, canary: Path) -> None:
    values = {name: with_canary(text, canary) for name, text in HARMLESS.items()}
    values |= {"NUL": "a\0b", "lone": LONE, "1 MB": "é" * 500_000, "{seed}": "a name", "a\nb": "another"}
    numbers = {"int": 2**70, "float": 0.1, "negative zero": -0.0, "none": None, "list": [1, [True, "x"]], "huge": 1e308}
    outcome = once(rw.Command([sys.executable, "-c", CONFIG, "{config}", "{dir}"]), {**values, **numbers})
    assert outcome.verdict is PASS, outcome.detail
    assert seen(outcome) == {**values, **numbers}
    assert not canary.exists()


def test_bytes_in_a_configuration_keep_their_bytes(once: Once) -> None:
    data = bytes(range(256))
    outcome = once(rw.Command([sys.executable, "-c", CONFIG, "{config}", "{dir}"]), {"v": data})
    assert seen(outcome)["v"].encode("utf-8", "surrogateescape") == data


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("a\0b", "NUL"),
        ("x" * 1_000_000, "too long"),
        ("x" * 131_072, "too long"),
    ],
)
@pytest.mark.parametrize("place", ["argument", "variable", "shell"])
def test_what_no_argument_can_carry_is_unresolved(once: Once, value: str, reason: str, place: str) -> None:
    commands = {
        "argument": rw.Command([sys.executable, "-c", "", "{v}"]),
        "variable": rw.Command([sys.executable, "-c", ""], env={"V": "{v}"}),
        "shell": rw.Command("true {v}", shell=True),
    }
    outcome = once(commands[place], {"v": value})
    assert outcome.verdict is UNRESOLVED
    assert reason in outcome.detail
    assert "pass it in {config}" in outcome.detail


def test_a_variable_at_the_limit_says_what_to_do(once: Once) -> None:
    """The name counts too, so it is the system that refuses."""
    outcome = once(rw.Command(["true"], env={"V": "{v}"}), {"v": "x" * 131_071})
    assert outcome.verdict is UNRESOLVED
    assert "{config}" in outcome.detail


def test_many_long_values_say_what_to_do(once: Once) -> None:
    fields = {f"f{i}": "x" * 100_000 for i in range(60)}
    outcome = once(rw.Command(["true", *(f"{{{name}}}" for name in fields)]), fields)
    assert outcome.verdict is UNRESOLVED
    assert "{config}" in outcome.detail


def test_a_lone_surrogate_is_one_argument(once: Once) -> None:
    outcome = once(rw.Command([sys.executable, "-c", ECHO, "{dir}", "{v}"]), {"v": LONE})
    assert outcome.verdict is PASS
    assert bytes(seen(outcome)["words"][0]).decode("utf-8", "surrogatepass") == LONE


def test_other_values_arrive_as_json(once: Once) -> None:
    values = {"a": True, "b": None, "c": 3, "d": 2.5, "e": [1, "a b"], "f": {"x": "$(id)"}}
    outcome = once(rw.Command([sys.executable, "-c", ECHO, "{dir}", *(f"{{{name}}}" for name in values)]), values)
    assert [json.loads(bytes(word)) for word in seen(outcome)["words"]] == [*values.values()]


def test_the_name_of_a_field_is_no_pattern(once: Once) -> None:
    command = rw.Command([sys.executable, "-c", ECHO, "{dir}", "{a.b}", "{a|b}", "{unknown}", "{", "}", "{{a.b}}"])
    outcome = once(command, {"a.b": "1", "a|b": "2"})
    assert [bytes(word) for word in seen(outcome)["words"]] == [b"1", b"2", b"{unknown}", b"{", b"}", b"{1}"]


def test_pieces_of_a_file_arrive_as_they_are(once: Once, canary: Path) -> None:
    pieces: list[str | bytes] = ["line\n", b"\x00\xff\xfe", "\udcff", f"$(touch {canary})", "Grüße", "", "{seed}"]
    copy = ["/bin/sh", "-c", 'cp "$1" "$2/seen"; echo seen', "sh", "{file}", "{dir}"]
    command = rw.Command(copy, file_name="in put.txt")
    outcome = once(command, pieces)
    assert outcome.verdict is PASS
    place = folder(outcome)
    expected = b"".join(piece if isinstance(piece, bytes) else bytes_of(piece) for piece in pieces)
    assert (place / "seen").read_bytes() == (place / "in put.txt").read_bytes() == expected
    assert not canary.exists()


@pytest.mark.parametrize("candidate", [{"a": 1}, [1, 2], ["a", None]])
def test_a_file_of_something_else_is_unresolved(once: Once, candidate: Any) -> None:
    outcome = once(rw.Command(["true", "{file}"]), candidate)
    assert outcome.verdict is UNRESOLVED
    assert "{config}" in outcome.detail


@examples(25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters(exclude_characters="\0", exclude_categories=())))
def test_any_text_without_nul_is_one_argument(tmp_path: Path, value: str) -> None:
    command = rw.Command([sys.executable, "-S", "-c", ECHO, "{dir}", "{v}"])
    outcome = command.run({"v": value}, seed=0, place=tmp_path / "trial")
    assert outcome.verdict is PASS, outcome.detail
    (word,) = seen(outcome)["words"]
    try:
        assert bytes(word).decode("utf-8", "surrogatepass") == value
    except UnicodeDecodeError:
        assert bytes(word).decode("utf-8", "surrogateescape") == value
