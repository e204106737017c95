"""Put values into the words of a command so that each value arrives byte by byte.

Most words are passed to the program as they are, and nothing in them needs a quote. Others are programs themselves: the
script of ``sh -c SCRIPT``, of ``su -c`` and of ``ssh HOST``, and the code of ``python -c CODE``. There a value such as
``a; rm *`` would become a part of the program.

In a script, a value is quoted for the place where its placeholder is: outside of quotes, inside "..." or inside '...'.
``_ScriptReader`` finds that place. It follows quotes, ``$(...)``, comments and backslashes, which decide it. Where a
text cannot be quoted exactly (a here-document, backquotes, ``${...}``, arithmetic, the argument of ``eval`` or of an
inner ``sh -c``), and wherever the reader can no longer be sure, as well as in the code of another language, only values
pass that contain nothing special in any language, such as numbers. For any other value the template is refused, with
the form to write instead. So what the reader does not understand costs a message, never a wrong run.

Many other programs hand a word on to a shell or another interpreter (``watch``, ``parallel``, ``R -e``). So a value
inside a word that looks like a command or code has to be one that needs no quotes, unless the word is JSON, XML or a
URL. This holds inside of a script, too, but not for commands such as ``printf`` that take a text for nothing else, and
for the whole of a script that hides what it runs (``eval``, ``| sh``, ``sh -c "$X"``).

What a program does with a word that is the value alone is its own affair: ``$RUN {v}`` runs the value if ``$RUN`` says
so.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal

from rootward.errors import InputError, SubjectError

PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_IN_SCRIPT = re.compile(r"(?<!\$)\{([^{}]*)\}")  # ${NAME} is a variable of the shell

_SHELL_NAME = r"(r?ba|da|a|z|[mlp]?d?k|ya|po)?sh"
_SHELL = re.compile(rf"{_SHELL_NAME}\d*(-static)?|\$\{{?(SHELL|BASH)\}}?")
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
_RUNS_COMMAND = re.compile(  # these run the command that follows them, as do the keywords of a shell
    r"command|do|doas|else|env|exec|if|ionice|nice|nohup|setsid|sshpass|stdbuf|strace|sudo|taskset|then|time|timeout|"
    r"until|while|xargs|!|\{"
)

_BARE = re.compile(r"[A-Za-z0-9_@%+:./-]+")  # texts that are one word of a shell without quotes
_PLAIN = re.compile(r"[A-Za-z0-9_.+-]*")  # texts that contain nothing special in any language
_KEYWORD = re.compile("case|coproc|do|done|elif|else|esac|fi|for|function|if|in|select|then|time|until|while")
_MASK = "\ue000"  # stands for a character of a placeholder while the script around it is read
_OPENED = re.compile(r"\$\(|\$\{[^{}]*\}|\$[\w@*#?$!-]+")
_EXPANSION = re.compile(rf"\$\{{(?:[^{{}}'\"\\`${_MASK}]|\\.|\$\w)*\}}", re.DOTALL)
_VARIABLE = re.compile(r"\$(?:\w+|[@*#?$!-])")
_REDIRECTION = re.compile(r"&>>?|[<>]+[&|]?")

_LOOKS_LIKE_CODE = re.compile(r"""(?![\[{<]|\w+://).*[\s"'`$;|(<>&!].*""", re.DOTALL)
_HIDES_CODE = re.compile(  # scripts that run texts, or read texts as arithmetic, in a place that is hard to find
    rf"\beval\b|\|&?\s*(\w+\s+){{0,9}}([\w./-]*/)?{_SHELL_NAME}\b|\s-\w*c\s+[\"']?\$"
    r"|\b(declare|typeset|local|export|readonly)\s([^\n;&|]{0,99}\s)?-\w*i"
)
_READS_NUMBERS = re.compile(r"\s-(eq|ne|lt|le|gt|ge|v)\s")
_READS_NAMES = re.compile(r"let|read|unset|mapfile|readarray|getopts")  # as arithmetic, such as a[$(...)]
_READS_TEXT = re.compile(r"\[{1,2}|case|echo|e?f?grep|exit|for|in|jq|printf|select|test|:")

Place = Literal["argument", "unquoted", "double quotes", "single quotes", "comment", "code", "perhaps code"]


@dataclass(frozen=True, slots=True)
class Placeholder:
    """A placeholder in a word of a command."""

    name: str
    place: Place
    refusal: str = ""
    """In code, and perhaps in code: the reason why many values cannot be put there, and what to write instead."""
    touches: bool = False
    """True if a shell could take the value as a part of its neighbour, such as ``$NAME`` before it or ``>`` after."""

    def write(self, value: str) -> str:
        match self.place:
            case "argument":
                return value
            case "comment":
                return f"{{{self.name}}}"
            case "single quotes":
                return value.replace("'", "'\"'\"'")
            case "double quotes":
                return '""' * self.touches + re.sub(r'([\\"$`])', r"\\\1", value)
            case "unquoted":
                is_word = _BARE.fullmatch(value) and not self.touches and not _KEYWORD.fullmatch(value)
                return value if is_word else "'" + value.replace("'", "'\"'\"'") + "'"
        harmless = _BARE if self.place == "perhaps code" else _PLAIN
        if self.touches or not harmless.fullmatch(value):
            raise SubjectError(self.refusal)
        return value


Word = tuple[str | Placeholder, ...]


def fill_words(argv: Sequence[str], values: Mapping[str, str]) -> list[str]:
    """Replace the placeholders in the words of a command.

    Braces with an unknown name are kept, because they belong to the program (awk, JSON). Raises SubjectError if a value
    cannot be passed where its placeholder is.
    """
    return [
        "".join(piece if isinstance(piece, str) else piece.write(values[piece.name]) for piece in word)
        for word in parse_words(tuple(argv), frozenset(values))
    ]


def check_words(argv: Sequence[str], names: Set[str]) -> None:
    """Raise InputError if one of these placeholders, whose values can be any text, is where not every text can be."""
    for word in parse_words(tuple(argv), frozenset(names)):
        for piece in word:
            if isinstance(piece, Placeholder) and piece.place == "code":
                raise InputError(piece.refusal)


def names_in_braces(argv: Sequence[str]) -> set[str]:
    """Return the names that may be placeholders."""
    script = _find_script(argv)
    found = [(_IN_SCRIPT if index == script else PLACEHOLDER).findall(word) for index, word in enumerate(argv)]
    return set().union(*found)


@lru_cache(maxsize=64)
def parse_words(argv: tuple[str, ...], names: frozenset[str]) -> tuple[Word, ...]:
    """Return the words of a command as texts and placeholders. ``names``: the placeholders that have a value."""
    code, refusal = _find_code(argv) or (None, "")
    joined = next((index for index in range(len(argv)) if _joins_words(argv, index)), len(argv))
    return tuple(
        _split(word, names, "perhaps code", _PERHAPS_CODE)
        if index > joined
        else _split_argument(word, names)
        if index != code
        else _split(word, names, "code", refusal)
        if refusal
        else _ScriptReader(word, names).scan()
        for index, word in enumerate(argv)
    )


def join_remote_words(argv: Sequence[str]) -> list[str]:
    """Return the command with all that ``ssh`` passes to the shell of its host as one word, as ssh does itself."""
    for index, word in enumerate(argv):
        if _base(word) == "ssh" and _is_program(argv, index):
            host = _skip_options(argv, index + 1, _SSH_OPTIONS)
            return [*argv[: host + 1], *filter(None, [" ".join(argv[host + 1 :])])]
    return list(argv)


def _split_argument(word: str, names: frozenset[str]) -> Word:
    literal = PLACEHOLDER.sub(lambda m: "" if m[1] in names else m[0], word)
    if not _LOOKS_LIKE_CODE.match(literal):
        return _split(word, names, "argument")
    return _split(word, names, "perhaps code", _PERHAPS_CODE)


def _joins_words(argv: Sequence[str], index: int) -> bool:
    """Return True if a program that joins the following words to a script seems to be run here."""
    return _base(argv[index]) in _JOINS_WORDS and _is_program(argv, index)


def _split(word: str, names: frozenset[str], place: Place, refusal: str = "") -> Word:
    pieces: list[str | Placeholder] = []
    end = 0
    for match in PLACEHOLDER.finditer(word):
        if match[1] in names:
            pieces += [word[end : match.start()], Placeholder(match[1], place, refusal.replace("{NAME}", match[0]))]
            end = match.end()
    return (*pieces, word[end:])


# Which word is a program itself?


def _find_script(argv: Sequence[str]) -> int | None:
    """Return the index of the word that is a script of a shell."""
    code, refusal = _find_code(argv) or (None, "")
    return None if refusal else code


def _find_code(argv: Sequence[str]) -> tuple[int, str] | None:
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
                refusal = _refuse_in_script("the script of an inner shell")
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


def _base(program: str) -> str:
    """Return the name of a program without its folder."""
    return program.rpartition("/")[2]


@lru_cache(maxsize=1024)
def _name_interpreter(word: str) -> str:
    """Return the name of the program if it can take code as an argument; nothing otherwise."""
    program = _base(word)
    patterns = (_SHELL.pattern, _AWK.pattern, *_LANGUAGES)
    known = program in {*_RUNS_SCRIPT, "ssh", "sed"} or any(re.fullmatch(pattern, program) for pattern in patterns)
    return program if known else ""


def _is_program(argv: Sequence[str], index: int) -> bool:
    """Return True if this word seems to be run, and not to be an argument."""
    first = next((word for word in argv[: index + 1] if not re.match(r"\w+=", word)), "")
    return first == argv[index] or _RUNS_COMMAND.fullmatch(_base(first)) is not None


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


def _refuse(where: str, instead: str) -> str:
    return (
        f"{{NAME}} is inside {where}, where not every value can be quoted: pass it as an argument of its own, "
        f"as in {instead}"
    )


# Where in a script is a placeholder?


@dataclass(slots=True)
class _Frame:
    """A script, or a ``$(...)`` inside of one."""

    quoted: bool = False
    """True inside of double quotes."""
    depth: int = 0
    """The number of open parentheses."""
    words: list[str] = field(default_factory=lambda: [""])
    """The words of the simple command that is being read, without quotes."""
    skips_word: bool = False
    """True if the current word is the target of a redirection."""
    quoted_pieces: list[int] = field(default_factory=list)
    """The places in the result of the placeholders in the current word whose values are to be quoted."""


class _ScriptReader:
    """Reads a script once, from left to right, and notes the place of each placeholder."""

    def __init__(self, script: str, names: frozenset[str]) -> None:
        self._script = script
        self._slots = {match.start(): match for match in _IN_SCRIPT.finditer(script) if match[1] in names}
        self._text = _IN_SCRIPT.sub(lambda m: _MASK * len(m[0]) if m[1] in names else m[0], script)
        self._at = self._written = 0
        self._frames = [_Frame()]
        self._pieces: list[str | Placeholder] = []
        self._lost = ""  # the reason why it is no longer known what is quoted
        self._hides_code = _HIDES_CODE.search(self._text) is not None

    def scan(self) -> Word:
        while self._at < len(self._text):
            self._step()
        for frame in self._frames:
            self._end_word(frame)
        return (*self._pieces, self._script[self._written :])

    def _step(self) -> None:
        frame, char = self._frames[-1], self._text[self._at]
        if self._at in self._slots:
            if refusal := self._lost or self._nested_code():
                self._slot("code", refusal)
            else:
                self._slot("double quotes" if frame.quoted else "unquoted")
        elif self._lost:
            self._at += 1
        elif char == "\\":
            self._backslash()
        elif char == "`":
            self._backquotes()
        elif char == "$":
            self._dollar()
        elif char == '"':
            frame.quoted = not frame.quoted
            self._at += 1
        elif frame.quoted:
            self._take(1)
        elif char == "'":
            self._single_quotes()
        elif char == "#" and not frame.words[-1] and self._begins_word():
            self._read_to(self._find("\n"), "comment")
        elif self._text.startswith("((", self._at):
            self._arithmetic(2)
        elif redirection := _REDIRECTION.match(self._text, self._at):
            self._redirection(redirection[0])
        elif char in " \t\n;&|()":
            self._separator(char)
        else:
            self._take(1)

    def _begins_word(self) -> bool:
        return self._at == 0 or self._text[self._at - 1] in " \t\n;&|()<>"

    def _find(self, text: str) -> int:
        """Return the index of the next ``text`` after this character; the end of the script if there is none."""
        found = self._text.find(text, self._at + 1)
        return len(self._text) if found < 0 else found

    # Moving on

    def _take(self, length: int) -> None:
        """Add the next characters to the current word."""
        self._frames[-1].words[-1] += self._text[self._at : self._at + length]
        self._at += length

    def _read_to(self, end: int, place: Place, refusal: str = "") -> None:
        """Read up to ``end``. All placeholders before it are in the same place."""
        while self._at < end:
            if self._at in self._slots:
                self._slot(place, refusal)
            else:
                self._take(1)

    def _slot(self, place: Place, refusal: str = "", *, touches: bool = False) -> None:
        match = self._slots[self._at]
        touches = touches or re.search(r"\$(\w+|[@*#?$!-])$", self._script[: match.start()]) is not None
        touches = touches or re.match(r"\w*[<>]", self._script[match.end() :]) is not None
        refusal = refusal.replace("{NAME}", match[0])
        if place in ("unquoted", "double quotes", "single quotes"):
            self._frames[-1].quoted_pieces.append(len(self._pieces) + 1)
        self._pieces += [self._script[self._written : match.start()], Placeholder(match[1], place, refusal, touches)]
        self._written = match.end()
        self._take(len(match[0]))

    def _lose(self, where: str) -> None:
        """Note that nothing is known about the rest of the script."""
        self._lost = _refuse_in_script(where)

    def _end_word(self, frame: _Frame) -> None:
        """Look at the whole word: only now is it known whether it may be a script that its command runs."""
        if frame.quoted_pieces and (self._hides_code or (not frame.skips_word and self._may_run(frame.words))):
            for index in frame.quoted_pieces:
                piece = self._pieces[index]
                assert isinstance(piece, Placeholder)
                refusal = _PERHAPS_CODE.replace("{NAME}", f"{{{piece.name}}}")
                self._pieces[index] = replace(piece, place="perhaps code", refusal=refusal)
        frame.quoted_pieces = []

    def _may_run(self, words: list[str]) -> bool:
        """Return True if the command may run the last one of its words."""
        if any(_joins_words(words, index) for index in range(len(words) - 1)):
            return True
        if not _LOOKS_LIKE_CODE.match(_OPENED.sub("", words[-1].replace(_MASK, ""))):
            return False
        name = _name_command(words)
        is_function = re.search(rf"(^|[\s;&|({{]){re.escape(name)}\s*\(\)", self._text) is not None
        code, _ = _find_code(words) or (len(words), "")
        return not (_READS_TEXT.fullmatch(_base(name)) or is_function or code < len(words) - 1)

    # The parts of a script

    def _separator(self, char: str) -> None:
        frame = self._frames[-1]
        self._end_word(frame)
        self._at += 1
        if frame.words[-1] == "case" and len(self._frames) > 1:
            self._lose("or behind a case in $(...)")  # its patterns end with a parenthesis
        if char in " \t":
            if frame.words[-1] and frame.skips_word:
                frame.words[-1], frame.skips_word = "", False
            elif frame.words[-1]:
                frame.words.append("")
            return
        frame.words, frame.skips_word = [""], False
        frame.depth += {"(": 1, ")": -1}.get(char, 0)
        if frame.depth < 0 and len(self._frames) > 1:
            self._frames.pop()

    def _redirection(self, operator: str) -> None:
        frame = self._frames[-1]
        if operator.startswith("<<") and not operator.startswith("<<<"):
            self._lose("or behind a here-document")
        elif operator in "<>" and self._text.startswith("(", self._at + 1):
            self._open_frame()
        else:
            self._end_word(frame)
            self._at += len(operator)
            if frame.words[-1].isdigit():  # as in 2>
                frame.words[-1] = ""
            elif frame.words[-1] and not frame.skips_word:
                frame.words.append("")
            frame.words[-1], frame.skips_word = "", True

    def _open_frame(self) -> None:
        self._take(2)
        self._frames.append(_Frame())

    def _backslash(self) -> None:
        self._at += 1
        if self._at in self._slots:
            self._slot("code", _refuse_in_script("a word, behind a backslash"), touches=True)
        elif self._text.startswith("\n", self._at):  # the line goes on
            self._at += 1
        else:
            self._take(1)

    def _single_quotes(self) -> None:
        end = self._find("'")
        self._at += 1
        refusal = self._nested_code()
        self._read_to(end, "code" if refusal else "single quotes", refusal)
        self._at += 1

    def _backquotes(self) -> None:
        end = self._at + 1
        while end < len(self._text) and self._text[end] != "`":
            end += 2 if self._text[end] == "\\" else 1
        self._read_to(end + 1, "code", _refuse_in_script("`...`"))

    def _dollar(self) -> None:
        following = self._text[self._at + 1 : self._at + 3]
        if following == "((":
            self._arithmetic(3)
        elif following.startswith("("):
            self._open_frame()
        elif expansion := _EXPANSION.match(self._text, self._at) or _VARIABLE.match(self._text, self._at):
            self._take(len(expansion[0]))
        elif following.startswith(("{", "[")):
            self._lose("or behind ${...} or $[...]")
        elif following.startswith("'") and not self._frames[-1].quoted:
            self._at += 1
            end = self._find("'") + 1
            if "\\" in self._text[self._at : end]:
                self._lose("or behind $'...'")
            self._read_to(end, "code", _refuse_in_script("$'...'"))
        else:
            self._take(1)

    def _arithmetic(self, length: int) -> None:
        """Read ``((...))``, which is opened by the next ``length`` characters."""
        self._take(length)
        depth = 2
        while self._at < len(self._text) and depth and not self._lost:
            char = self._text[self._at]
            depth += {"(": 1, ")": -1}.get(char, 0)
            if self._at in self._slots:
                self._slot("code", _refuse_in_script("arithmetic"))
            elif char in "'\"\\`":
                self._lose("or behind arithmetic")
            else:
                self._take(1)

    def _is_in_arithmetic_test(self) -> bool:
        """Return True inside of a ``[[ ... ]]`` that compares numbers."""
        begin, end = self._text.rfind("[[", 0, self._at), self._find("]]")
        is_open = begin >= 0 and "]]" not in self._text[begin : self._at]
        return is_open and _READS_NUMBERS.search(self._text, begin, end) is not None

    def _nested_code(self) -> str:
        """Return the refusal if the current word is a program itself: an argument of eval, or of an inner shell."""
        words = self._frames[-1].words
        if "eval" in words[:-1] or "trap" in words[-2:-1]:
            return _refuse_in_script("an argument of eval or trap")
        if _reads_name(words) or self._is_in_arithmetic_test():
            return _refuse_in_script("arithmetic, or the name of a variable")
        words = join_remote_words(words)
        code, refusal = _find_code(words) or (None, "")
        if code != len(words) - 1:
            return ""
        return refusal or _refuse_in_script("the script of an inner shell")


def _name_command(words: Sequence[str]) -> str:
    """Return the name of the program or builtin that a simple command runs."""
    names = (word for word in words if not re.match(r"\w+=", word) and not _RUNS_COMMAND.fullmatch(word))
    return next(names, "")


def _reads_name(words: Sequence[str]) -> bool:
    """Return True if the last word is read as the name of a variable, which may contain arithmetic."""
    name = _name_command(words[:-1])
    return _READS_NAMES.fullmatch(name) is not None or (name in ("printf", "test", "[") and words[-2] == "-v")


def _refuse_in_script(where: str) -> str:
    return _refuse(where, json.dumps(["sh", "-c", '... "$1" ...', "sh", "{NAME}"]))


_PERHAPS_CODE = _refuse_in_script("a text that the program may take for a command or code")
