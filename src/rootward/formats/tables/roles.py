"""The role of each column in a table of runs: a setting, the verdict, the time, or ignored.

A run is judged by a column of verdicts, or by a comparison such as ``score < 0.6`` that holds for failing runs. A run
without the number to compare did not get that far, so it failed, too (the paper's Table 1 has such a run). Only
unambiguous verdicts are guessed: words such as ``failed``, and a bool or 0 and 1 if the name of the column says what
true means (``failed``, ``passed``).
"""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from rootward.errors import InputError
from rootward.facts import Fact
from rootward.formats.tables import moments
from rootward.formats.tables.columns import is_missing, value_of
from rootward.formats.tables.facts import IgnoredColumns, NamelessColumn
from rootward.formats.tables.sources import VERDICT, TableSource
from rootward.rules.atoms import ORDERINGS, Atom
from rootward.rules.constants import kind, same, value_order
from rootward.space.fields import join, show
from rootward.verdict import FAIL, OTHER, PASS, UNRESOLVED, Verdict

CANDIDATE = "candidate."
"""Prefix of the columns of a configuration in a table of trials that Rootward wrote."""
SELECTION = {"candidate.kept", "candidate.of"}
"""The columns of candidates that are selections, not configurations."""
_UNNAMED = ("", "__index_level_0__")
_FAILING = ("fail", "failed", "failing", "fails", "failure", "error", "crash", "crashed", "bad", "broken")
_PASSING = (
    *("pass", "passed", "passing", "passes", "ok", "good", "succeed", "succeeded", "success", "successful"),
    *("complete", "completed", "finished", "done"),
)
_WORDS = {
    **dict.fromkeys(_FAILING, FAIL),
    **dict.fromkeys(_PASSING, PASS),
    "other": OTHER,
    **dict.fromkeys(["unresolved", "unknown", "skipped"], UNRESOLVED),
}
_RESULTS = {"verdict", "outcome", "result", "status", "state", "evaluation", *_FAILING, *_PASSING}
_FLAGS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_COMPARISON = re.compile(r"(?P<column>.+?)\s*(?P<op><=|>=|==|!=|<|>|=)\s*(?P<constant>.+)", re.DOTALL)


class MissingTime(InputError):
    """Runs after a date are to be left out, but no column with the time of each run is given."""


@dataclass(frozen=True)
class Roles:
    """The roles of the columns of a table: settings, verdict and time.

    ``names`` are the names of the settings, without the prefix of their columns.
    """

    columns: tuple[str, ...]
    names: tuple[str, ...]
    judge: VerdictColumn
    time: str | None
    end: dt.datetime | None
    notes: tuple[Fact, ...]

    @classmethod
    def of(
        cls,
        source: TableSource,
        said: str | None,
        fails: Any,
        ignore: list[str],
        time: str | None,
        as_of: str | dt.date | None,
    ) -> Roles:
        """Assign the roles; InputError if an argument does not match the columns."""
        names = _names(source)
        own = said is None and "verdict" in names and any(name.startswith(CANDIDATE) for name in names)
        prefix = CANDIDATE if own else ""
        ignored = [_column(name, prefix, names) for name in ignore]
        time = _time("finished" if own and as_of and time is None else time, as_of, names)
        if VERDICT in names:
            decides = VerdictColumn(VERDICT, lambda verdict: verdict)
        else:
            decides = make_judge("verdict" if own else said, fails, names)
        apart = {*ignored, decides.column, time}
        columns = tuple(name for name in names if name not in apart and name.startswith(prefix))
        if not columns or (own and {*columns} == SELECTION):
            raise InputError(f"{source.title} has no columns with settings: expected one column per setting of a run")
        notes: list[Fact] = [NamelessColumn()] if len(names) < len(source.names) else []
        notes += [IgnoredColumns(tuple(ignored))] if ignored else []
        short = tuple(name.removeprefix(prefix) for name in columns)
        return cls(columns, short, decides, time, None if as_of is None else moments.end_of(as_of), tuple(notes))


def _names(source: TableSource) -> list[str]:
    names = [name for name in source.names if name not in _UNNAMED]
    if not {*names} - {VERDICT}:
        raise InputError(f"{source.title} has no runs")
    [(name, count)] = Counter(names).most_common(1)
    if count > 1:
        raise InputError(f"{source.title}: two columns are named {name!r}: rename one")
    return names


def _time(time: str | None, as_of: object, names: Sequence[str]) -> str | None:
    if time is None and as_of is not None:
        raise MissingTime("as_of needs time: name the column with the time of each run")
    if time is not None and time not in names:
        raise InputError(f"time: {describe_missing_column(time, names)}")
    return time


def _column(name: str, prefix: str, names: Sequence[str]) -> str:
    if (full := name if name in names else prefix + name) not in names:
        raise InputError(f"ignore: {describe_missing_column(name, names)}")
    return full


# The verdict of a run


@dataclass(frozen=True)
class VerdictColumn:
    """The column that decides the verdict.

    ``says`` returns the verdict for a value, or None if the verdict is unclear.
    """

    column: str
    says: Callable[[Any], Verdict | None]
    atom: Atom | None = None

    def verdicts(self, values: Iterable[Any], *, text: bool) -> list[Verdict]:
        """Return the verdict of each value. Raises InputError if a verdict is unclear."""
        read = [value_of(value) if text and isinstance(value, str) else value for value in values]
        found = [(value, self.says(value)) for value in read]
        if any(verdict is None for _, verdict in found):
            raise InputError(self._ask_for_comparison([value for value, _ in found]))
        return [verdict for _, verdict in found if verdict is not None]

    def compares(self, values: Iterable[Any], *, text: bool) -> bool:
        """Return False if the verdict is an ordering, such as ``<``, by which no value can be judged.

        This is so if no value has the type of the constant. Returns True in all other cases.
        """
        if self.atom is None or self.atom.op not in ORDERINGS:
            return True
        read = (value_of(value) if text and isinstance(value, str) else value for value in values)
        return any(kind(value) == kind(self.atom.value) for value in read)

    def _ask_for_comparison(self, values: list[Any]) -> str:
        seen = tuple(sorted(values, key=value_order))
        unclear = next(value for value in seen if self.says(value) is None)
        example = (
            f"{self.column} < 0.6" if isinstance(unclear, float) else f"{self.column} = {_format_constant(unclear)}"
        )
        return (
            f"which runs failed? The column {self.column} holds {join(seen)}: "
            f"give a comparison that holds for failing runs, such as verdict {show(example)}"
        )


def make_judge(said: str | None, fails: Any, names: Sequence[str]) -> VerdictColumn:
    """Return the judge that the user asks for, or the one that the names of the columns suggest."""
    if said is None:
        return _judge_by_words(_guess_column(names), fails)
    if said in names:
        return _judge_by_words(said, fails)
    comparison = _COMPARISON.fullmatch(said.strip())
    column = comparison["column"].strip() if comparison else said
    if comparison is None or column not in names:
        raise InputError(f"verdict {show(said)}: {describe_missing_column(column, names)}")
    if fails is not None:
        raise InputError(f"verdict {show(said)} is a comparison: use fails only if verdict is the name of a column")
    return _judge_by_comparison(column, comparison["op"], comparison["constant"].strip())


def describe_missing_column(name: str, names: Sequence[str]) -> str:
    """Return a message that there is no such column. It names the column that may be meant, or all columns."""
    return f"there is no column {name!r}{suggest_name(name, names)}"


def suggest_name(name: str, names: Sequence[str]) -> str:
    """Return a hint for a message that ``name`` does not exist.

    The hint is the name in ``names`` that may be meant, or all of ``names``.
    """
    close = get_close_matches(name, names, n=1)
    return f" (did you mean {close[0]!r}?)" if close else f"; there are {join(tuple(names))}"


def find_results(names: Iterable[str]) -> list[str]:
    """Return the columns that look like a result, not like a setting."""
    return [name for name in names if name.lower() in _RESULTS]


def _guess_column(names: Sequence[str]) -> str:
    found = find_results(names)
    if len(found) == 1:
        return found[0]
    which = f"it may be one of {join(tuple(found))}" if found else f"the columns are {join(tuple(names))}"
    raise InputError(
        "which runs failed? Set verdict to the column that says so, or to a comparison that holds for failing runs, "
        f"such as 'score < 0.6'; {which}"
    )


def _judge_by_words(column: str, fails: Any) -> VerdictColumn:
    name = column.lower()
    true = FAIL if name in _FAILING else PASS if name in _PASSING else None
    given = (
        None if fails is None else [fails] if isinstance(fails, str) or not isinstance(fails, Collection) else [*fails]
    )

    def says(value: Any) -> Verdict | None:
        if given is not None and any(_is_same(value, one) for one in given):
            return FAIL
        if isinstance(value, Verdict):
            return value
        if is_missing(value):
            return UNRESOLVED
        word = str(value).strip().lower()
        guess = _WORDS.get(word)
        if given is not None:  # the user names the failure, so other words for failing mean other failures
            return OTHER if guess is FAIL else guess or PASS
        if guess is None and true is not None and (flag := _flag(value)) is not None:
            return true if flag else (PASS if true is FAIL else FAIL)
        return guess

    return VerdictColumn(column, says)


def _judge_by_comparison(column: str, op: str, constant: str) -> VerdictColumn:
    quoted = len(constant) > 1 and constant[0] == constant[-1] and constant[0] in "'\""
    value = constant[1:-1] if quoted else value_of(constant)
    atom = Atom(column, "=" if op == "==" else op, value)

    def says(found: Any) -> Verdict:
        if op in ORDERINGS:
            comparable = kind(found) == kind(value) and not is_missing(found)
            return FAIL if not comparable or atom.accepts(found) else PASS
        return UNRESOLVED if is_missing(found) else FAIL if atom.accepts(found) else PASS

    return VerdictColumn(column, says, atom)


def _is_same(value: Any, wanted: Any) -> bool:
    return same(value, wanted) or (isinstance(wanted, str) and str(value) == wanted)


def _flag(value: Any) -> bool | None:
    return _FLAGS.get(
        str(int(value)) if isinstance(value, float) and value.is_integer() else str(value).strip().lower()
    )


def _format_constant(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
