"""A link means the file that it means in the repository.

Some pages live outside of this folder, because that is where a reader of the repository looks for them: READMEs of
examples, results of benchmarks. A symbolic link makes each a page of the site. So a link is resolved from where the
page really lies, and if it leads to what is a page, to that page. The same text is right here, in an editor, and on a
forge.
"""

import os
import re
from pathlib import Path

from docutils.nodes import document
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx

LINK = re.compile(r"(?<=\]\()([^()\s:#]+)(?=[)#])")


def pages(app: Sphinx) -> dict[Path, str]:
    """The page that a file is."""
    return {Path(app.env.doc2path(name)).resolve(): name for name in app.env.found_docs}


def from_where_it_lies(app: Sphinx, page: str, source: list[str]) -> None:
    place, known = Path(app.env.doc2path(page)), pages(app)

    def target(link: re.Match[str]) -> str:
        meant = (place.resolve().parent / link[0]).resolve()
        if meant in known:
            return f"/{known[meant]}.md"
        return os.path.relpath(meant, place.parent) if meant.exists() else link[0]

    source[0] = LINK.sub(target, source[0])


def to_the_page(app: Sphinx, doctree: document) -> None:
    """The parser has followed symbolic links, out of the folder: back to the page that led there."""
    known = pages(app)
    for link in doctree.findall(pending_xref):
        file = Path(f"{link.get('reftarget')}.md")
        if link.get("refdomain") == "doc" and file in known:
            link["reftarget"] = known[file]


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("source-read", from_where_it_lies)
    app.connect("doctree-read", to_the_page)
    return {"parallel_read_safe": True}
