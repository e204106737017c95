"""Find the word of a command that is a program itself: the code of ``python -c CODE``, or the script of ``sh -c``."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import lru_cache

SHELL_NAME = r"(r?ba|da|a|z|[mlp]?d?k|ya|po)?sh"
_SHELL = re.compile(rf"{SHELL_NAME}\d*(-static)?|\$\{{?(SHELL|BASH)\}}?")
_RUNS_SCRIPT = {"flock", "runuser", "script", "sg", "su"}  # with the option -c
_JOINS_WORDS = {"parallel", "rsh", "sem", "watch"}  # into a script
_SSH_OPTIONS = "BbcDEeFIiJLlmOopQRSWw"  # those with a value
_AWK = re.compile(r"[gmn]?awk")
_WITH_AWK = json.dumps(["awk", "-v", "x={NAME}", "... x ..."])
_LANGUAGES = {  # each with the options that take code, those that take another value, and the name of an argument
    r"(python|pypy)[\d.]*": ("c", "WX", "sys.argv[1]"),
    r"perl[\d.]*": ("eE", "I", "$ARGV[0]"),
    r"ruby[\d.]*": ("e", "IrC", "ARGV[0]"),
    r"node|nodejs": ("ep", "r", "process.argv[1]"),
    r"php[\d.]*": ("r", "dc", "$argv[1]"),
    r"lua(jit)?[\d.]*": ("e", "l", "arg[1]"),
    r"Rscript": ("e", "", "commandArgs(TRUE)[1]"),
    r"julia": ("eE", "CHJLPpt", "ARGS[1]"),
    r"t?csh|fish": ("c", "", "$argv[1]"),
}
LANGUAGE_NAME = "|".join(f"({name})" for name in _LANGUAGES)
_RUNS_COMMAND = re.compile(  # these run the command that follows them, as do the keywords of a shell
    r"command|do|doas|else|env|exec|if|ionice|nice|nohup|setsid|sshpass|stdbuf|strace|sudo|taskset|then|time|timeout|"
    r"until|while|xargs|!|\{"
)


def find_code(argv: Sequence[str]) -> tuple[int, str] | None:
    """Return the index of the word that is a program, and the refusal of values that cannot be put into it.

    The refusal is empty for the script of a shell, in which values are quoted.
    """
    for index, word in enumerate(argv):
        if not (program := _name_interpreter(word)):
            continue
        code, refusal = None, ""
        if _SHELL.fullmatch(program):
            code = _find_after_option(argv, index + 1, "c", "oO", is_shell=True)
        elif program in _RUNS_SCRIPT:
            options = (i for i in range(index + 1, len(argv)) if re.match(r"-\w*c|--command\b", argv[i]))
            code = next(options, len(argv))
            if code < len(argv) and re.fullmatch(r"-\w*c|--command", argv[code]):
                code += 1
            elif code < len(argv):
                refusal = refuse_in_script("the script of an inner shell")
        elif program == "ssh" and _is_program(argv, index):
            code = _skip_options(argv, index + 1, _SSH_OPTIONS) + 1
        elif _AWK.fullmatch(program) and _is_program(argv, index):
            code = _skip_options(argv, index + 1, "vF")
            refusal = _refuse("code of awk", _WITH_AWK)
            if any(re.match(r"-[fE]|--(file|exec)", option) for option in argv[index + 1 : code]):
                code = None
        elif program == "sed" and _is_program(argv, index):
            code = _find_after_option(argv, index + 1, "e", "fl") or _skip_options(argv, index + 1, "fl")
            refusal = _refuse("code of sed", _WITH_AWK)
            if any(re.match(r"-[ns]*f|--file", option) for option in argv[index + 1 : code]):
                code = None
        else:
            for pattern, (takes_code, takes_value, argument) in _LANGUAGES.items():
                if re.fullmatch(pattern, program):
                    code = _find_after_option(argv, index + 1, takes_code, takes_value)
                    form = [word, f"-{takes_code[0]}", f"... {argument} ...", "{NAME}"]
                    refusal = _refuse(f"code of {program}", json.dumps(form))
        if code is not None and code < len(argv):
            return code, refusal
    return None


def base_name(program: str) -> str:
    """Return the name of a program without its folder."""
    return program.rpartition("/")[2]


@lru_cache(maxsize=1024)
def _name_interpreter(word: str) -> str:
    """Return the name of the program if it can take code as an argument; nothing otherwise."""
    program = base_name(word)
    patterns = (_SHELL.pattern, _AWK.pattern, *_LANGUAGES)
    known = program in {*_RUNS_SCRIPT, "ssh", "sed"} or any(re.fullmatch(pattern, program) for pattern in patterns)
    return program if known else ""


def _is_program(argv: Sequence[str], index: int) -> bool:
    """Return True if this word seems to be run, and not to be an argument."""
    first = next((word for word in argv[: index + 1] if not re.match(r"\w+=", word)), "")
    return first == argv[index] or _RUNS_COMMAND.fullmatch(base_name(first)) is not None


def _find_after_option(
    argv: Sequence[str], start: int, takes_code: str, takes_value: str, *, is_shell: bool = False
) -> int | None:
    """Return the index of the code that belongs to an option such as ``-c``; None if there is no such option.

    ``is_shell``: further options may stand between the option and its code.
    """
    index, has_option = start, False
    while index < len(argv):
        word = argv[index]
        if word in ("--eval", "--print") or (word in ("--", "-") and has_option):
            return index + 1
        if re.match("--(eval|print)=", word):
            return index
        if not re.match(r"[-+].", word):
            return index if has_option else None
        if not word.startswith("--") and (option := re.match(rf"[-+]\w*?[{takes_code}](.*)", word, re.DOTALL)):
            if not is_shell:
                return index if option[1] else index + 1
            has_option = True
        index += 2 if _takes_value(word, takes_value) else 1
    return None


def _skip_options(argv: Sequence[str], start: int, takes_value: str) -> int:
    """Return the index of the first word that is not an option."""
    index = start
    while index < len(argv) and re.match(r"-.", argv[index]):
        index += 2 if _takes_value(argv[index], takes_value) else 1
    return index


def _takes_value(option: str, letters: str) -> bool:
    """Return True if the next word is the value of this option. In ``-oName``, the value is in the same word."""
    return option in ("--rcfile", "--init-file") or re.fullmatch(rf"[-+][^-{letters}]*[{letters}]", option) is not None


def join_remote_words(argv: Sequence[str]) -> list[str]:
    """Return the command with all that ``ssh`` passes to the shell of its host as one word, as ssh does itself."""
    for index, word in enumerate(argv):
        if base_name(word) == "ssh" and _is_program(argv, index):
            host = _skip_options(argv, index + 1, _SSH_OPTIONS)
            return [*argv[: host + 1], *filter(None, [" ".join(argv[host + 1 :])])]
    return list(argv)


def joins_words(argv: Sequence[str], index: int) -> bool:
    """Return True if a program that joins the following words to a script seems to be run here."""
    return base_name(argv[index]) in _JOINS_WORDS and _is_program(argv, index)


def name_command(words: Sequence[str]) -> str:
    """Return the name of the program or builtin that a simple command runs."""
    names = (word for word in words if not re.match(r"\w+=", word) and not _RUNS_COMMAND.fullmatch(word))
    return next(names, "")


# What to say


def _refuse(where: str, instead: str) -> str:
    return (
        f"{{NAME}} is inside {where}, where not every value can be quoted: pass it as an argument of its own, "
        f"as in {instead}"
    )


def refuse_in_script(where: str) -> str:
    return _refuse(where, json.dumps(["sh", "-c", '... "$1" ...', "sh", "{NAME}"]))


PERHAPS_CODE = refuse_in_script("a text that the program may take for a command or code")
