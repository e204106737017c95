"""Every mistake in a study file is reported with its line and with what is expected."""

# ruff: noqa: E501  (a case is one line)

import json

import pytest

from rootward import StudyError
from rootward.study import load_study
from rootward.subjects.command import Command

STUDY = """\
name = "over-speed"
[subject]
command = ["./run.sh", "{config}"]
timeout = 60
[fields]
speed = { type = "float", lo = -100, hi = 100 }
gear = { type = "choice", values = ["P", "R"] }
n = { type = "int", lo = 0, hi = 10 }
on = "bool"
[failing]
speed = -1.0
gear = "P"
n = 3
on = true
[lab]
trials = 200
seconds = 600
repeat = "1of4"
"""
COMMAND = 'command = ["./run.sh", "{config}"]'


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("[" * 300 + "]" * 300, "nested too deeply"),
        ("[" * 60 + "]" * 60, "nested too deeply"),
        ("[" * 100_000, "nested too deeply"),
        ("9" * 5000, "Exceeds the limit"),
        ("0x" + "f" * 5000, "an integer has more than 4,096 bits"),
    ],
    ids=["deep", "deep enough", "endless", "decimal", "hexadecimal"],
)
def test_values_that_cannot_be_worked_with(tmp_path, value, reason):
    path = tmp_path / "study.toml"
    path.write_text(STUDY.replace("n = 3", f"n = {value}"))
    with pytest.raises(StudyError, match=f"study.toml cannot be read: .*{reason}"):
        load_study(path)


# fmt: off
MISTAKES = [
    ('"P", "R"]', "]", "7: fields.gear: a field needs at least one value, but none is given"),
    ('["P", "R"]', "3", "7: fields.gear.values: expected a list of values, got 3"),
    (', values = ["P", "R"]', "", "7: fields.gear.values: missing: expected a list of values"),
    ('"P", "R"', '"P", "P"', "7: fields.gear: the value 'P' is given twice"),
    ('"choice"', '"chioce"', "7: fields.gear.type: expected one of bool, int, float, choice, ordinal, text, got 'chioce' (did you mean 'choice'?)"),
    ('"bool"', "3", '9: fields.on: expected a field such as "bool" or { type = "int", lo = 0 }, got 3'),
    ("lo = 0", "lo = 0.5", "8: fields.n.lo: expected an integer, got 0.5"),
    ("lo = 0", "low = 0", "8: fields.n.low: unknown key; did you mean 'lo'?"),
    ("lo = 0, hi = 10", "lo = 5, hi = 1", "8: fields.n: lo = 5 is above hi = 1: nothing lies between them"),
    ("speed = -1.0", "speed = 200", "11: failing.speed: expected number -100.0..100.0, got 200"),
    ("on = true", 'on = "yes"', "14: failing.on: expected False or True, got 'yes'"),
    ('gear = "P"\n', "", "10: failing: missing field 'gear'"),
    ("speed = -1.0", "sped = 1", "11: failing.sped: unknown field 'sped' (did you mean 'speed'?)"),
    ("timeout", "tiemout", "4: subject.tiemout: unknown key; did you mean 'timeout'?"),
    ("60", '"x"', "4: subject.timeout: expected a number of seconds above 0, got 'x'"),
    ("60", "-1", "4: subject.timeout: expected a number of seconds above 0, got -1"),
    ("timeout = 60", 'memory = "2X"', "4: subject.memory: expected an amount of memory such as 512M or 2G, got '2X'"),
    ("timeout = 60", 'signature = "("', "4: subject.signature: '(' is not a regular expression: missing ), unterminated subpattern at position 0"),
    (COMMAND, "", '2: subject: expected either command = [...] or function = "module:name", and not both'),
    (COMMAND, 'function = "no.module:f"', "3: subject.function: there is no module 'no', neither in FOLDER nor among the installed packages"),
    (COMMAND, 'function = "os:nope"', "3: subject.function: cannot get 'nope' from os: module 'os' has no attribute 'nope'"),
    (COMMAND, 'function = "os"', '3: subject.function: expected "package.module:name", got \'os\''),
    (COMMAND, 'function = "os:getcwd"\ncwd = "x"', "4: subject.cwd: only allowed with a command, not with a function: remove it"),
    ("[lab]", "[lba]", "15: lba: unknown key; did you mean 'lab'?"),
    ("trials", "trails", "16: lab.trails: unknown key; did you mean 'trials'?"),
    ("trials = 200", 'trials = "a"', "16: lab.trials: expected a number of trials, 0 or more, got 'a'"),
    ("trials = 200", "trials = -1", "16: lab.trials: expected a number of trials, 0 or more, got -1"),
    ('"1of4"', '"x"', "18: lab.repeat: repeat = 'x': expected once, KofN (such as 1of4) or sprt:FAILS,PASSES,ERROR"),
    ("[lab]", "[elements]\n[lab]", '15: elements: expected either file = "input.txt" or list = ["a", "b"], and not both'),
    ("[lab]", '[elements]\nfile = "none"\n[lab]', "16: elements.file: FOLDER/none cannot be read: No such file or directory"),
    ("[lab]", '[elements]\nlist = ["a"]\nkeep = ["b"]\n[lab]', "17: elements.keep: no element to keep is named b, or matches it"),
    ("[lab]", '[elements]\nlist = [1]\nby = "lines"\n[lab]', "17: elements.by: only allowed beside file, not beside list: remove it"),
    ("[lab]", '[elements]\nlist = [1]\ntiming = "close"\n[lab]', "17: elements.timing: only allowed beside file, not beside list: remove it"),
    ("[lab]", '[elements]\nfile = "x"\ntiming = "fast"\n[lab]', '17: elements.timing: expected "keep" or "close", got \'fast\''),
    ("[lab]", '[elements]\nfile = "x"\nby = "words"\n[lab]', "17: elements.by: expected lines, chars, tokens, json, yaml, xml, rows, models or messages, got 'words'"),
    ("[fields]", "[fields", "5: invalid TOML: expected ']' at the end of a table declaration (column 8)"),
    ('"1of4"', '"""1of4', "18: invalid TOML: unterminated string (at the end)"),
    ("timeout = 60", "timeout = inf", "4: subject.timeout: expected a number of seconds above 0, got inf"),
    ("seconds = 600", "seconds = nan", "17: lab.seconds: expected a number of seconds, 0 or more, got nan"),
    ('"{config}"]', '"{config}", "--v={sped}"]', "3: subject.command: unknown placeholder {sped}; did you mean {speed}?"),
    ('"{config}"]', '"{config}", "{seeed}"]', "3: subject.command: unknown placeholder {seeed}; did you mean {seed}?"),
    ("timeout = 60", 'env = { V = "{speeed}" }', "4: subject.env: unknown placeholder {speeed}; did you mean {speed}?"),
    ("timeout = 60", 'cwd = "{dirr}"', "4: subject.cwd: unknown placeholder {dirr}; did you mean {dir}?"),
    ('on = "bool"', 'config = "bool"', "9: fields.config: {config} in the command already stands for the path of the candidate's file: rename this field"),
    ('name = "over-speed"', "name = 3", "1: name: expected a string, got 3"),
    ("timeout = 60", 'cwd = "a\\u0000b"', "3: subject.command: a command, its variables and its folder cannot contain a NUL character"),
    ("timeout = 60", 'env = { "A\\u0000" = "b" }', "3: subject.command: a command, its variables and its folder cannot contain a NUL character"),
    ("timeout = 60", 'env = { "A=B" = "b" }', "3: subject.command: 'A=B' is not the name of an environment variable"),
    ("trials = 200", 'store = "a\\u0000.db"', "16: lab.store: a path cannot contain a NUL character"),
    ('"{config}"]', '"-c", "{config}", "$(cat)"]\nshell = true', '3: subject.command: a command must be a list such as ["./run.sh", "{config}"], or one text with shell set to true'),
]
# fmt: on


@pytest.mark.parametrize(("old", "new", "complaint"), MISTAKES)
def test_the_line_and_what_is_expected(tmp_path, old, new, complaint):
    assert old in STUDY
    path = tmp_path / "study.toml"
    path.write_text(STUDY.replace(old, new, 1))
    with pytest.raises(StudyError) as error:
        load_study(path)
    assert str(error.value) == f"{path}:{complaint.replace('FOLDER', str(tmp_path))}"


@pytest.mark.parametrize(
    "words",
    [
        ["awk", "{print}", "{point}"],  # what the command has cannot be what a mistake in it was meant to be
        ["awk", "BEGIN{n=1}{print $1}", "{config}"],
        ["sh", "-c", "SPED=1; run ${SPED} ${sped}", "{config}"],
        ["jq", '{"speed": 1}', "{config}"],
        ["grep", "-E", "a{2,3}b{1}", "{config}"],
    ],
)
def test_other_braces_belong_to_the_program(tmp_path, words):
    path = tmp_path / "study.toml"
    path.write_text(f"[subject]\ncommand = {json.dumps(words)}\n[fields]\npoint = 'int'\nspeed = 'int'\n")
    subject = load_study(path).subject
    assert isinstance(subject, Command)
    assert subject.argv == words


def test_a_field_may_have_a_built_in_name_that_the_command_does_not_use(tmp_path):
    path = tmp_path / "study.toml"
    path.write_text(f"[subject]\n{COMMAND}\n[fields]\nseed = 'int'\n")
    assert load_study(path).space is not None


@pytest.mark.parametrize("name", ["{seed}", "{speed}", "a {n} b"])
def test_a_folder_whose_name_would_be_replaced(tmp_path, name):
    path = tmp_path / name / "study.toml"
    path.parent.mkdir()
    path.write_text(STUDY)
    with pytest.raises(StudyError, match=r"in the name of the folder .* would be replaced: rename it"):
        load_study(path)


def test_a_folder_may_have_other_braces(tmp_path):
    path = tmp_path / "{{cookiecutter.name}}" / "study.toml"
    path.parent.mkdir()
    path.write_text(STUDY)
    subject = load_study(path).subject
    assert isinstance(subject, Command)
    assert subject.cwd == str(path.parent)


def test_a_failing_configuration_needs_fields(tmp_path):
    path = tmp_path / "study.toml"
    path.write_text(f"[subject]\n{COMMAND}\n[failing]\na = 1\n")
    with pytest.raises(
        StudyError, match=r"study\.toml:3: failing: a failing configuration needs fields: add \[fields\]"
    ):
        load_study(path)


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (
            "nominal = 3",
            r"1: nominal: expected a table \[nominal\], the path of a JSON file, or a list of these, got 3",
        ),
        ("nominal = [3]", "1: nominal.0: expected a table or the path of a JSON file, got 3"),
        ("nominal = [{ a = 1 }, { a = 'x' }]", "1: nominal.1.a: expected integer .*, got 'x'"),
        ("nominal = { b = 1 }", "1: nominal.b: unknown field 'b'"),
    ],
)
def test_inputs_that_should_work_but_do_not_fit(tmp_path, said, message):
    path = tmp_path / "study.toml"
    path.write_text(f"{said}\n[subject]\n{COMMAND}\n[fields]\na = 'int'\n")
    with pytest.raises(StudyError, match=message):
        load_study(path)


def test_a_study_needs_a_subject(tmp_path):
    path = tmp_path / "study.toml"
    path.write_text("name = 'x'\n")
    with pytest.raises(StudyError, match=r"study\.toml:1: subject: missing: expected a table \[subject\]"):
        load_study(path)


def test_what_cannot_be_read(tmp_path):
    with pytest.raises(StudyError, match=r"none\.toml cannot be read: No such file or directory"):
        load_study(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_bytes(b"a = 1\nb = '\xff'\n")
    with pytest.raises(StudyError, match=r"bad\.toml:2: a study file must be UTF-8, but this line is not"):
        load_study(tmp_path / "bad.toml")


def test_a_module_that_cannot_be_imported(tmp_path, monkeypatch):
    import sys

    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "broken_module.py").write_text("1 / 0")
    path = tmp_path / "study.toml"
    path.write_text('[subject]\nfunction = "broken_module:f"\n')
    with pytest.raises(StudyError, match="importing broken_module failed with ZeroDivisionError: division by zero"):
        load_study(path)
