"""Put values into the words of a command so that each value arrives byte by byte.

Most words are passed to the program as they are, and nothing in them needs a quote. Others are programs themselves: the
script of ``sh -c SCRIPT``, of ``su -c`` and of ``ssh HOST``, and the code of ``python -c CODE``. There a value such as
``a; rm *`` would become a part of the program.

In a script, a value is quoted for the place where its placeholder is: outside of quotes, inside "..." or inside '...'.
``shell_script`` finds that place. It follows quotes, ``$(...)``, comments and backslashes, which decide it. Where a
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

from collections.abc import Mapping, Sequence, Set
from functools import lru_cache

from rootward.errors import InputError
from rootward.subjects.interpreters import PERHAPS_CODE, find_code, joins_words
from rootward.subjects.shell_script import (
    IN_SCRIPT,
    LOOKS_LIKE_CODE,
    PLACEHOLDER,
    Place,
    Placeholder,
    ScriptReader,
    Word,
)


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
    code, refusal = find_code(argv) or (None, "")
    script = None if refusal else code
    found = [(IN_SCRIPT if index == script else PLACEHOLDER).findall(word) for index, word in enumerate(argv)]
    return set().union(*found)


@lru_cache(maxsize=64)
def parse_words(argv: tuple[str, ...], names: frozenset[str]) -> tuple[Word, ...]:
    """Return the words of a command as texts and placeholders. ``names``: the placeholders that have a value."""
    code, refusal = find_code(argv) or (None, "")
    joined = next((index for index in range(len(argv)) if joins_words(argv, index)), len(argv))
    return tuple(
        _split(word, names, "perhaps code", PERHAPS_CODE)
        if index > joined
        else _split_argument(word, names)
        if index != code
        else _split(word, names, "code", refusal)
        if refusal
        else ScriptReader(word, names).scan()
        for index, word in enumerate(argv)
    )


def _split_argument(word: str, names: frozenset[str]) -> Word:
    literal = PLACEHOLDER.sub(lambda m: "" if m[1] in names else m[0], word)
    if not LOOKS_LIKE_CODE.match(literal):
        return _split(word, names, "argument")
    return _split(word, names, "perhaps code", PERHAPS_CODE)


def _split(word: str, names: frozenset[str], place: Place, refusal: str = "") -> Word:
    pieces: list[str | Placeholder] = []
    end = 0
    for match in PLACEHOLDER.finditer(word):
        if match[1] in names:
            pieces += [word[end : match.start()], Placeholder(match[1], place, refusal.replace("{NAME}", match[0]))]
            end = match.end()
    return (*pieces, word[end:])
