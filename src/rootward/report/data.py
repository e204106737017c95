"""A report as data: one versioned JSON document, from which every other format is made.

``schema.json`` beside this file describes it. A page embeds the document, so whoever has the page has the data;
``read_embedded`` reads it back.
"""

from __future__ import annotations

import base64
import contextlib
import gzip
import json
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from markupsafe import Markup

from rootward.errors import InputError, RootwardError, StoreError
from rootward.formats.files import format_path
from rootward.report.kinds import presenter_for
from rootward.report.text import cut
from rootward.report.trials import pack_trials
from rootward.search.evidence import Evidence
from rootward.search.finding import Finding
from rootward.store.rows import RunRecord
from rootward.store.store import Store

FORMAT, VERSION = "rootward-report", 1
MAX_TEXT = 20_000
"""Maximum length of a text, in characters, so that the page can still be opened."""


@contextlib.contextmanager
def showing(what: str, kind: type[RootwardError] = InputError) -> Iterator[None]:
    """Show findings that were read from a store or a file, in the block.

    They may lack anything that a presenter needs: then the block ends with an error that says so.
    """
    try:
        yield
    except (kind, StoreError, OSError, MemoryError):
        raise
    except Exception as error:
        raise kind(
            f"{what} cannot be shown: it was damaged, changed, or written by another version of Rootward "
            f"({type(error).__name__}: {str(error)[:200]})"
        ) from error


def document(runs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return one report of these runs."""
    numbered = [{**run, "id": f"run-{place}"} for place, run in enumerate(runs, 1)]
    return {"format": FORMAT, "version": VERSION, "rootward": version("rootward"), "runs": numbered}


def run_of(finding: Finding) -> dict[str, Any]:
    """Return the run that made a finding, with its evidence."""
    status = "complete" if finding.complete else finding.stopped or "unfinished"
    return _run(finding.evidence or Evidence(), status, finding.to_dict())


def run_from_store(store: Store, record: RunRecord) -> dict[str, Any]:
    """Return a run from the store. Its finding is None if the run has none yet."""
    evidence = Evidence(
        record.name,
        record.settings,
        store=str(store),
        run=record.id,
        started=record.started,
        seconds=record.seconds,
        trials=lambda: store.evidence(record),
    )
    return _run(evidence, record.status, store.finding(record.id))


def _run(evidence: Evidence, status: str, finding: dict[str, Any] | None) -> dict[str, Any]:
    signature = finding["signature"] if finding else None
    named = presenter_for(finding["finding"]).fields(finding) if finding else []
    trials = pack_trials(evidence.trials(), run=evidence.run, signature=signature, named=named)
    return {
        "id": "run-1",
        "name": evidence.name,
        "run": evidence.run,
        "store": evidence.store and _short_path(evidence.store),
        "status": status,
        "started": evidence.started,
        "seconds": evidence.seconds,
        "reproduce": {name: evidence.settings.get(name) for name in ("command", "subject", "seed", "repeat")},
        "finding": None if finding is None else _cut_texts(finding),
        "trials": trials if trials["total"] else None,
    }


def _short_path(store: str) -> str:
    """Shorten the path of a store, so that a page does not reveal the home folder. A URL is returned unchanged."""
    path = Path(store)
    return format_path(path) if path.is_absolute() else store


def _cut_texts(value: Any) -> Any:
    """Cut long texts in a value, except pictures."""
    if isinstance(value, str):
        return value if value.startswith("data:image/") else cut(value, MAX_TEXT)
    if isinstance(value, list):
        return [_cut_texts(item) for item in value]
    return {_cut_texts(name): _cut_texts(item) for name, item in value.items()} if isinstance(value, dict) else value


# A document inside a page: compressed, so that 10,000 trials fit, and in base64, which no HTML parser can misread

MAX_EMBEDDED_BYTES = 32 << 20
"""Maximum length of the document in a page that is read. Otherwise a small page could fill the memory."""
_BLOCK = re.compile(r'<script type="application/gzip" class="rootward-document">([A-Za-z0-9+/=]*)</script>')


def block(document: Mapping[str, Any]) -> Markup:
    """Return the HTML element that holds a document.

    A browser does not run the element, because its type is not that of a script.
    """
    written = json.dumps(document, separators=(",", ":"), allow_nan=False).encode()
    letters = base64.b64encode(gzip.compress(written, 6, mtime=0)).decode()
    return Markup(f'<script type="application/gzip" class="rootward-document">{letters}</script>')


def read_embedded(page: str) -> dict[str, Any]:
    """Return the document that is embedded in a page.

    Raises InputError if there is no document, or if it is damaged.
    """
    found = _BLOCK.search(page)
    if found is None:
        raise InputError("this page does not hold a Rootward report")
    unpacking = zlib.decompressobj(wbits=31)  # gzip
    try:
        written = unpacking.decompress(base64.b64decode(found[1]), MAX_EMBEDDED_BYTES)
        if unpacking.unconsumed_tail:
            raise InputError(
                f"the data in this page has more than {MAX_EMBEDDED_BYTES >> 20} MB: write the report as .json instead"
            )
        document: dict[str, Any] = json.loads(written)
    except InputError:
        raise
    except (ValueError, RecursionError, zlib.error):
        raise InputError("the data in this page is damaged") from None
    return document
