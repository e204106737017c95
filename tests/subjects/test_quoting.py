"""Values in the script of a shell arrive byte by byte, wherever in it their placeholders are, or are refused."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import strategies as st

import rootward as rw
from rootward.errors import InputError, SubjectError
from rootward.subjects.quoting import fill_words
from tests.properties import examples

SHELLS = [shell for shell in ("sh", "dash", "bash", "zsh", "ksh", "mksh", "yash") if shutil.which(shell)]

# Texts of a script, and what becomes of them; @ is the value.
PLACES = {
    "{v}": "@",
    "{v}{v}": "@@",
    "a{v}b": "a@b",
    "--name={v}": "--name=@",
    '"{v}"': "@",
    '"a {v} b"': "a @ b",
    '"\\"{v}\\\\"': '"@\\',
    "'{v}'": "@",
    "'a \"{v}\" b'": 'a "@" b',
    "'it'\\''s {v}'": "it's @",
    "\"{v}\"'{v}'{v}": "@@@",
    "$X{v}": "x@",
    '"$X{v}$X"': "x@x",
    '"${X}{v}"': "x@",
    '"${Y:-y z}{v}"': "y z@",
    '"$(printf %s. {v})"': "@.",
    '"$(printf %s. "{v}"; printf %s. \'{v}\')"': "@.@.",
    '"$(printf %s. "$(printf %s. \'<{v}>\')")"': "<@>..",
    '"a # {v}"': "a # @",
    "a#{v}": "a#@",
    '"it\'s {v}"': "it's @",
    "\\\"{v}\\'": "\"@'",
    '"$((1 + 2)){v}"': "3@",
    "\\\n{v}": "@",
    '""{v}': "@",
    "''#{v}": "#@",
}
FRAMES = [
    "printf '%s\\0' {}",
    "if true; then printf '%s\\0' {}; fi # \" ' {{v}}",
    ": \"it's\" '\"' # it's {{v}} $( `\nprintf '%s\\0' {}",
    "(f() {{ printf '%s\\0' \"$@\"; }}; f {})",
    "case x in x) printf '%s\\0' {} ;; esac",
    ": 2>&1 $(: ')') && {{ printf '%s\\0' {}; }}",
    'sh -c \'printf "%s\\0" "$@"\' sh {}',
    "X=$X printf '%s\\0' {} | cat",
]
NASTY = [
    "a b",
    "it's",
    'say "hi"',
    "$(touch canary)",
    "`touch canary`",
    "; touch canary",
    "a\nb\n",
    "-rf",
    "",
    "\\",
    "a\\'b\\\"c\\\\",
    "$X ${X} $$ $",
    "* ~ {v} {a,b} [a] !x ^",
    "if",
    "A=b",
    "2",
    "'",
    "''",
    '"',
    "#",
    "\udcff\udcfe",
    "Grüße 世界",
    "\x01\x7f\r",
    "'; touch canary; '",
    '"; touch canary; "',
]
values = st.one_of(
    st.sampled_from(NASTY),
    st.text("ab '\"\\$`(){};&|<>#!*~=\n\t-\udcff", max_size=12),
    st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=12),
)


def data(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def printed(argv: list[str], folder: Path) -> list[bytes]:
    done = subprocess.run(
        [data(word) for word in argv], cwd=folder, env={"X": "x", "PATH": "/usr/bin:/bin"}, capture_output=True
    )
    assert done.returncode == 0, (argv, done.stderr)
    return done.stdout.split(b"\0")[:-1]


@examples(300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    shell=st.sampled_from(SHELLS),
    value=values,
    frame=st.sampled_from(FRAMES),
    places=st.lists(st.sampled_from([*PLACES]), min_size=1, max_size=4),
)
def test_any_value_anywhere_in_a_script(tmp_path: Path, shell: str, value: str, frame: str, places: list[str]) -> None:
    argv = [shell, "-c", frame.format(" ".join(places))]
    folder = tmp_path / "run"
    folder.mkdir(exist_ok=True)
    if any(value.endswith("\n") and "$(" in place for place in places):
        value += "."  # $(...) drops the newlines at the end
    expected = [data(PLACES[place].replace("@", value)) for place in places]
    assert printed(fill_words(argv, {"v": value}), folder) == expected, argv
    assert not list(folder.iterdir()), "a value was run"


@pytest.mark.parametrize("value", NASTY)
def test_each_nasty_value_in_each_place(tmp_path: Path, value: str) -> None:
    """All places in one script for each shell."""
    for shell in SHELLS:
        filled = fill_words([shell, "-c", FRAMES[0].format(" ".join(PLACES))], {"v": value + "."})
        expected = [data(place.replace("@", value + ".")) for place in PLACES.values()]
        assert printed(filled, tmp_path) == expected
    assert not list(tmp_path.iterdir())


WAYS: dict[str, list[str]] = {
    "sh": ["sh", "-c"],
    "env": ["env", "A=1", "/bin/sh", "-ec"],
    "timeout": ["timeout", "5", "bash", "-eu", "-o", "pipefail", "-c"],
    "clustered": ["nice", "bash", "-euo", "pipefail", "-c"],
    "options behind": ["sh", "-c", "-e"],
    "end of options": ["bash", "--norc", "-c", "--"],
    "login": ["bash", "--noprofile", "-lc"],
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS.keys())
@pytest.mark.parametrize("value", ["a$(touch canary)b", "it's"])
def test_every_way_to_call_a_shell(tmp_path: Path, way: list[str], value: str) -> None:
    filled = fill_words([*way, "printf '%s\\0' {v} '{v}' \"$1\"", "sh", "{v}"], {"v": value})
    assert printed(filled, tmp_path) == [data(value)] * 3
    assert not list(tmp_path.iterdir())


def test_a_number_beside_a_redirection_is_no_descriptor(tmp_path: Path) -> None:
    printed(fill_words(["sh", "-c", "echo {n}>a; echo {n}2>b; echo 1{n}>c"], {"n": "2"}), tmp_path)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a": "2\n", "b": "22\n", "c": "12\n"}


def test_numbers_and_paths_stay_readable() -> None:
    script = 'run --speed={speed} "{config}" $(({n} + 1)) {file}'
    filled = fill_words(["sh", "-c", script], {"speed": "-1e-05", "config": "/a b/c", "n": "3", "file": "/tmp/in.txt"})
    assert filled[2] == 'run --speed=-1e-05 "/a b/c" $((3 + 1)) /tmp/in.txt'


def test_remote_words_are_one_script() -> None:
    remote = rw.Command(["ssh", "-p", "22", "-oBatchMode=no", "robot", "./run", "--name={v}", "'{w}'"])
    argv, _ = remote._fill_all({"v": "a b", "w": "it's"})
    assert argv == [b"ssh", b"-p", b"22", b"-oBatchMode=no", b"robot", b"./run --name='a b' 'it'\"'\"'s'"]
    argv, _ = rw.Command(["tar", "-cf", "{file}", "/etc/ssh", "a", "b"])._fill_all({"file": "x y"})
    assert argv == [b"tar", b"-cf", b"x y", b"/etc/ssh", b"a", b"b"]


REFUSED = {
    "here-document": (["sh", "-c", "cat <<EOF\n{file}\nEOF"], "here-document"),
    "behind one": (["sh", "-c", "cat <<'EOF'\nit's\nEOF\ncat {file}"], "here-document"),
    "backquotes": (["sh", "-c", "echo `cat {file}`"], "`...`"),
    "quoted backquotes": (["sh", "-c", 'echo "`cat {file}`"'], "`...`"),
    "expansion": (["sh", "-c", "echo ${A:-{file}}"], "${...}"),
    "nested expansion": (["sh", "-c", 'echo "${A:-"b"}" {file}'], "${...}"),
    "arithmetic": (["sh", "-c", "echo $(({file} + 1))"], "arithmetic"),
    "command arithmetic": (["bash", "-c", "(( {file} > 1 ))"], "arithmetic"),
    "ANSI quotes": (["bash", "-c", "echo $'a{file}'"], "$'...'"),
    "backslash": (["sh", "-c", "echo \\{file}"], "backslash"),
    "case in a substitution": (["sh", "-c", 'echo "$(case a in a) cat {file};; esac)"'], "case"),
    "eval": (["sh", "-c", 'eval "cat {file}"'], "eval"),
    "trap": (["sh", "-c", "trap 'rm {file}' EXIT"], "trap"),
    "inner shell": (["sh", "-c", "sh -c 'cat {file}'"], "inner shell"),
    "inner shell, redirected": (["sh", "-c", "sh -c 2>&1 >x 'cat {file}'"], "inner shell"),
    "inner shell on two lines": (["sh", "-c", "sh \\\n-c 'cat {file}'"], "inner shell"),
    "inner shell in a variable": (["sh", "-c", "$SHELL -c 'cat {file}'"], "inner shell"),
    "inner ssh": (["sh", "-c", "ssh robot cat {file}"], "inner shell"),
    "remote inner shell": (["ssh", "robot", "sh", "-c", "'cat {file}'"], "inner shell"),
    "python": (["python3", "-c", "open('{file}')"], '["python3", "-c", "... sys.argv[1] ...", "{file}"]'),
    "python with options": (["env", "A=1", "python3.11", "-W", "error", "-Ic", "open('{file}')"], "sys.argv[1]"),
    "python in a shell": (["sh", "-c", "exec python3 -c 'open(\"{file}\")'"], "sys.argv[1]"),
    "perl": (["perl", "-ne", "print if /{config}/", "x"], "$ARGV[0]"),
    "node": (["node", "--eval", "f('{dir}')"], "process.argv[1]"),
    "awk": (["awk", "BEGIN { getline < \"{file}\" }"], '["awk", "-v", "x={file}", "... x ..."]'),
    "fish": (["fish", "-c", "cat {file}"], "$argv[1]"),
    "sed": (["sed", "-n", "s/X/{file}/p", "x"], '["awk", "-v", "x={file}", "... x ..."]'),
    "sed with an option": (["sh", "-c", "sed -i -e '1r {file}' x"], "code of sed"),
    "let": (["bash", "-c", "let x={file}"], "arithmetic"),
    "read": (["bash", "-c", "while read -r {file}; do :; done"], "name of a variable"),
    "name of printf": (["bash", "-c", "printf -v {file} x"], "name of a variable"),
    "name of a variable": (["bash", "-c", "declare {file}"], "name of a variable"),
    "comparison of numbers": (["bash", "-c", "if [[ 1 -eq {file} ]]; then :; fi"], "arithmetic"),
    "behind another one": (["bash", "-c", "[[ $x = a && {file} -lt 1 ]]"], "arithmetic"),
    "user's shell": (["su", "me", "-ccat<{file}"], "inner shell"),
    "user's shell, long": (["su", "me", "--command=cat<{file}"], "inner shell"),
    "node, long": (["node", "--eval=f('{file}')"], "process.argv[1]"),
}  # fmt: skip


@pytest.mark.parametrize(("argv", "reason"), REFUSED.values(), ids=REFUSED.keys())
def test_where_a_path_cannot_be_quoted_it_is_refused(argv: list[str], reason: str) -> None:
    with pytest.raises(InputError) as error:
        rw.Command(argv)
    assert reason in str(error.value)
    assert "pass it as an argument of its own, as in [" in str(error.value)


@pytest.mark.parametrize(("argv", "reason"), REFUSED.values(), ids=REFUSED.keys())
def test_and_so_is_a_text_but_no_number(argv: list[str], reason: str) -> None:
    argv = [word.replace("{file}", "{v}").replace("{config}", "{v}").replace("{dir}", "{v}") for word in argv]
    command = rw.Command([*argv, "{v}"])
    with pytest.raises(SubjectError) as error:
        command._fill_all({"v": "a b"})
    assert reason.replace("{file}", "{v}") in str(error.value)
    if "backslash" not in reason:
        assert b"-1.5" in b"".join(map(bytes, command._fill_all({"v": "-1.5"})[0]))  # type: ignore[arg-type]


ACCEPTED: list[list[str]] = [
    ["python3", "-c", "import sys; open(sys.argv[1])", "{file}"],
    ["python3", "-u", "run.py", "-c", "{file}"],
    ["python3", "-m", "tool", "-c", "{file}"],
    ["perl", "run.pl", "-e", "{file}"],
    ["awk", "-f", "{file}"],
    ["awk", "-v", "n={v}", "BEGIN { exit n }", "{file}"],
    ["gawk", "{print}", "{file}"],
    ["./compare.sh", "gawk", "{file}"],
    ["sh", "{file}"],
    ["bash", "-x", "{file}", "-c", "{v}"],
    ["sh", "-c", "sh -c 'cat \"$1\"' sh {file}"],
    ["sh", "-c", "python3 -c 'import sys; open(sys.argv[1])' {file}"],
    ["sh", "-c", "awk '{print $1}' {file} | grep -c x"],
    ["sh", "-c", "f=${f%.*}; f=${f//\\//_}; cat {file} > $f 2>&1"],
    ["sh", "-c", "exit 1 # {file}, as it's"],
    ["grep", "-c", "x", "{file}"],
    ["sed", "-f", "{file}", "x"],
    ["sed", "-n", "1p", "{file}"],
    ["sh", "-c", 'cd results && ./run inputs/{v}/tests.csv "$HOME/{v}" "$(dirname {file})/x"'],
    ["sh", "-c", 'grep -q \'is {v}\' {file} && echo "a {v} b" > "out of {v}.txt"'],
    ["sh", "-c", "log() { echo \"$@\"; }; log 'it is {v}'; [[ {v} = 'x y' ]] && export V={v}"],
    ["curl", "http://localhost:80/?a=1&b={v}"],
    ["bash", "-c", "grep 'x[0-9]' <<< {v}; a[0]=1; echo ${a[0]} ${a[@]} {v}"],
    [
        "sh",
        "-c",
        "./generate {v} | python3 check.py; ./run {v} | python3 -c 'print(1)'",
    ],
]


@pytest.mark.parametrize("argv", ACCEPTED)
def test_harmless_templates_are_accepted(argv: list[str]) -> None:
    command = rw.Command(argv)
    assert command._fill_all({"file": "/tmp/a b", "v": "x y"})


PERHAPS_CODE: list[list[str]] = [
    ["watch", "-g", "cat {v}"],
    ["parallel", "cat {v}"],
    ["nix-shell", "--run", "./run {v}"],
    ["R", "-e", "source('{v}')"],
    ["octave", "--eval=run('{v}')"],
    ["env", "-S", "sh -c 'cat {v}'"],
    ["cmd.exe", "/c", "type {v}"],
    ["watch", "cat", "{v}"],
    ["timeout", "9", "watch", "cat", "{v}"],
    ["git", "-c", "alias.x=!cat<{v}", "x"],
    ["sh", "-c", "watch -g '! grep -q BAD {v}'"],
    ["sh", "-c", "watch grep BAD {v}"],
    ["sh", "-c", "LANG=C nice parallel 'cat {v}' ::: a b"],
    ["sh", "-c", "parallel cat' '{v}"],
    ["sh", "-c", '${SHELL:-sh} -c "! grep -q BAD {v}"'],
    ["sh", "-c", "X=sh; $X -c 'cat {v}'"],
    ["sh", "-c", "e=eval; $e cat {v}"],
    ["sh", "-c", "X='cat {v}'; sh -c \"$X\""],
    ["sh", "-c", "env -S 'cat {v}'"],
    ["sh", "-c", "alias x='cat {v}'; x"],
    ["sh", "-c", "echo 'cat {v}' | sh"],
    ["sh", "-c", "printf 'cat %s' {v} | sudo /bin/bash -s"],
    ["sh", "-c", "x=$(./prepare 'cat {v}'); echo \"$x\""],
    ["bash", "-c", "declare -i x; x={v}"],
    ["bash", "-c", "typeset -n r={v}; echo $r"],
    ["bash", "-c", "a[{v}]=1; [ {v} = x ]"],
    ["bash", "-c", "x={v}; a[x]=1"],
    ["bash", "-c", "x={v}; echo ${a[x]}"],
    ["bash", "-c", "x={v}; echo ${!x}"],
    ["bash", "-c", "x={v}; echo ${x@P}"],
    ["bash", "-c", "x={v}; echo $((x))"],
    ["bash", "-c", "x={v}; ((x)) || echo $[x]"],
    ["bash", "-c", "f() { [[ $1 -eq 1 ]]; }; f {v}"],
    ["bash", "-c", "sh <<< {v}"],
    ["bash", "-c", "python3 - <<< {v}"],
    ["bash", "-c", ". /dev/stdin <<< {v}"],
    ["bash", "-c", "xargs -I X sh -c 'echo X' <<< {v}"],
    ["sh", "-c", "printf %s {v} | xargs -I X sh -c 'echo X'"],
    ["sh", "-c", "echo {v} | python3"],
]


@pytest.mark.parametrize("argv", PERHAPS_CODE)
def test_a_text_that_may_be_code_takes_only_values_without_quotes(argv: list[str]) -> None:
    command = rw.Command(argv)
    words, _ = command._fill_all({"v": "/tmp/a-1.txt"})
    assert b"/tmp/a-1.txt" in b" ".join(map(bytes, words))  # type: ignore[arg-type]
    for value in ("a b", "$(touch canary)", "it's", ""):
        with pytest.raises(SubjectError, match="pass it as an argument of its own"):
            command._fill_all({"v": value})


@pytest.mark.parametrize("word", ['{"name": {v}}', "[1, {v}]", "<a b='{v}'>", "--name={v}", "a/{v}/*.txt"])
def test_other_texts_take_any_value(word: str) -> None:
    words, _ = rw.Command(["./run", word])._fill_all({"v": "it's [$x]"})
    assert words == [b"./run", word.replace("{v}", "it's [$x]").encode()]


def test_a_variable_of_the_shell_is_no_placeholder() -> None:
    with pytest.raises(InputError, match="has no placeholder"):
        rw.Command(["sh", "-c", "cat ${file}"])
    script = rw.Command(["sh", "-c", 'printf %s "${file}"'], env={"file": "{file}"})
    assert script._fill_all({"file": "a"}) == ([b"sh", b"-c", b'printf %s "${file}"'], {"file": "a"})


@pytest.mark.parametrize("mode", ["argv", "sh -c", "shell"])
@examples(40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(values)
@example("a$(touch canary) 'b'\n\"c\"")
def test_a_command_and_what_to_type_get_the_same(tmp_path: Path, mode: str, value: str) -> None:
    """Through arguments, scripts, variables, the working folder and the files of a trial, in a folder of any name."""
    home = tmp_path / f"-{value.replace('/', '')}-"
    home.mkdir(exist_ok=True)
    show = 'printf "%s\\0" "$@" "$V"; cat "$2"; pwd'
    script = f"set -- {{v}} '{{config}}' \"{{dir}}\"; {show}"
    options: dict[str, Any] = {"env": {"V": "<{v}>", "not-a-name": "{v}"}, "cwd": "{dir}"}
    command = {
        "argv": rw.Command(["sh", "-c", show, "sh", "{v}", "{config}", "{dir}"], **options),
        "sh -c": rw.Command(["sh", "-c", script], **options),
        "shell": rw.Command(script, shell=True, **options),
    }[mode]
    place = home / "trial"
    outcome = command.run({"v": value}, seed=1, place=place)
    assert outcome.verdict is rw.Verdict.PASS, outcome.detail
    output = Path(outcome.artifacts["output"]).read_bytes()
    words = b"".join(data(word) + b"\0" for word in [value, f"{place}.json", str(place), f"<{value}>"])
    assert output.startswith(words + b'{"v":')
    assert output.endswith(b"}" + data(f"{place}\n"))
    typed = command.by_hand({"v": value}, seed=1, place=place)
    assert subprocess.run(["sh", "-c", data(typed)], stdout=subprocess.PIPE, cwd=tmp_path).stdout == output
    assert not list(tmp_path.rglob("canary"))


@examples(40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(values, st.booleans())
def test_what_is_handed_over_gets_the_same(tmp_path: Path, value: str, replaces_shell: bool) -> None:
    """The command of a reproducer, typed in a folder of any name, with files in a folder beside it."""
    home = tmp_path / f"-{value.replace('/', '')}-"
    home = Path(str(home).replace("{", ""))  # which would be a placeholder of cwd
    places = {"config": home / "-saved" / "it.json", "dir": home / "-saved" / "files"}
    places["config"].parent.mkdir(parents=True, exist_ok=True)
    places["config"].write_text("content\n")
    script = "printf '%s\\0' {v} \"{v}\" '{config}' \"$V\"; cat {config}; cd {dir}; pwd"
    command = rw.Command(["sh", "-c", script], env={"V": "{v}"}, cwd=str(home))
    typed = command.command_line({"v": value}, seed=1, places=places, folder=tmp_path, replaces_shell=replaces_shell)
    done = subprocess.run(["sh", "-c", data(typed)], cwd=tmp_path, capture_output=True)
    *words, rest = done.stdout.split(b"\0")
    assert words == [data(value), data(value), b"./-saved/it.json", data(value)], done.stderr
    assert rest == b"content\n" + data(f"{places['dir']}\n")
    assert not list(tmp_path.rglob("canary"))
