"""Read the script of a shell, to find out how a value is to be quoted at each placeholder.

The docstring of ``quoting`` describes what the reader follows, and what it refuses.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from rootward.errors import SubjectError
from rootward.subjects.interpreters import (
    LANGUAGE_NAME,
    PERHAPS_CODE,
    SHELL_NAME,
    base_name,
    find_code,
    join_remote_words,
    joins_words,
    name_command,
    refuse_in_script,
)

PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
IN_SCRIPT = re.compile(r"(?<!\$)\{([^{}]*)\}")  # ${NAME} is a variable of the shell
LOOKS_LIKE_CODE = re.compile(r"""(?![\[{<]|\w+://).*[\s"'`$;|(<>&!].*""", re.DOTALL)

_BARE = re.compile(r"[A-Za-z0-9_@%+:./-]+")  # texts that are one word of a shell without quotes
_PLAIN = re.compile(r"[A-Za-z0-9_.+-]*")  # texts that contain nothing special in any language
_KEYWORD = re.compile("case|coproc|do|done|elif|else|esac|fi|for|function|if|in|select|then|time|until|while")
_MASK = "\ue000"  # stands for a character of a placeholder while the script around it is read
_OPENED = re.compile(r"\$\(|\$\{[^{}]*\}|\$[\w@*#?$!-]+")
_EXPANSION = re.compile(rf"\$\{{(?:[^{{}}'\"\\`${_MASK}]|\\.|\$\w)*\}}", re.DOTALL)
_VARIABLE = re.compile(r"\$(?:\w+|[@*#?$!-])")
_REDIRECTION = re.compile(r"&>>?|[<>]+[&|]?")

_READS_CODE = rf"{SHELL_NAME}\b|({LANGUAGE_NAME})\s*(-\s*)?(?=$|[\n;&|<)])"  # from its standard input
_HIDES_CODE = re.compile(  # scripts that run texts in a place that is hard to find
    rf"\beval\b|\s-\w*c\s+[\"']?\$|\$\{{!|@P\}}"
    rf"|\|&?\s*([\w.{{}}-]+\s+){{0,9}}([\w./-]*/)?({_READS_CODE})"
    rf"|\b({_READS_CODE}|source\b|xargs\b)[^\n;]{{0,99}}<<<|(^|[\s;&|])\.\s[^\n;]{{0,99}}<<<"
    # and scripts that read texts as arithmetic, where a[$(...)] is run
    r"|\b(declare|typeset|local|export|readonly)\s([^\n;&|]{0,99}\s)?-\w*[in]"
    r"|\(\([^)]{0,99}[A-Za-z_$]|\$\[|\[\[[^\n]{0,99}\s-(eq|ne|lt|le|gt|ge)\s|\blet\s"
    rf"|\$\{{\w+\[[^\]\n]{{0,99}}[A-Za-z_$]|\b\w+\[[^\]\n]{{0,99}}[A-Za-z_${_MASK}][^\]\n]{{0,99}}\]\+?="
)
_READS_NUMBERS = re.compile(r"\s-(eq|ne|lt|le|gt|ge|v)\s")
_READS_NAMES = re.compile(r"let|read|unset|mapfile|readarray|getopts")  # as arithmetic, such as a[$(...)]
_DECLARES = re.compile(r"declare|export|local|readonly|typeset")
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


class ScriptReader:
    """Reads a script once, from left to right, and notes the place of each placeholder."""

    def __init__(self, script: str, names: frozenset[str]) -> None:
        self._script = script
        self._slots = {match.start(): match for match in IN_SCRIPT.finditer(script) if match[1] in names}
        self._text = IN_SCRIPT.sub(lambda m: _MASK * len(m[0]) if m[1] in names else m[0], script)
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
        self._lost = refuse_in_script(where)

    def _end_word(self, frame: _Frame) -> None:
        """Look at the whole word: only now is it known whether it may be a script that its command runs."""
        if frame.quoted_pieces and (self._hides_code or (not frame.skips_word and self._may_run(frame.words))):
            for index in frame.quoted_pieces:
                piece = self._pieces[index]
                assert isinstance(piece, Placeholder)
                refusal = PERHAPS_CODE.replace("{NAME}", f"{{{piece.name}}}")
                self._pieces[index] = replace(piece, place="perhaps code", refusal=refusal)
        frame.quoted_pieces = []

    def _may_run(self, words: list[str]) -> bool:
        """Return True if the command may run the last one of its words."""
        if any(joins_words(words, index) for index in range(len(words) - 1)):
            return True
        if not LOOKS_LIKE_CODE.match(_OPENED.sub("", words[-1].replace(_MASK, ""))):
            return False
        name = name_command(words)
        is_function = re.search(rf"(^|[\s;&|({{]){re.escape(name)}\s*\(\)", self._text) is not None
        code, _ = find_code(words) or (len(words), "")
        return not (_READS_TEXT.fullmatch(base_name(name)) or is_function or code < len(words) - 1)

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
            self._slot("code", refuse_in_script("a word, behind a backslash"), touches=True)
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
        self._read_to(end + 1, "code", refuse_in_script("`...`"))

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
            self._read_to(end, "code", refuse_in_script("$'...'"))
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
                self._slot("code", refuse_in_script("arithmetic"))
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
            return refuse_in_script("an argument of eval or trap")
        if _reads_name(words) or self._is_in_arithmetic_test():
            return refuse_in_script("arithmetic, or the name of a variable")
        words = join_remote_words(words)
        code, refusal = find_code(words) or (None, "")
        if code != len(words) - 1:
            return ""
        return refusal or refuse_in_script("the script of an inner shell")


def _reads_name(words: Sequence[str]) -> bool:
    """Return True if the last word is read as the name of a variable, which may contain arithmetic."""
    name = name_command(words[:-1])
    declares = _DECLARES.fullmatch(name) and "=" not in words[-1]
    return bool(declares or _READS_NAMES.fullmatch(name)) or (name in ("printf", "test", "[") and words[-2] == "-v")
