"""A type in a signature is a link if it is a public name: ``rootward.space.space.Space`` is ``rootward.Space``."""

from docutils.nodes import Element
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

import rootward


def public(app: Sphinx, env: BuildEnvironment, node: pending_xref, text: Element) -> Element | None:
    name = node.get("reftarget", "").rpartition(".")[2]
    if node.get("refdomain") != "py" or name not in rootward.__all__:
        return None
    domain = env.get_domain("py")
    return domain.resolve_xref(env, node["refdoc"], app.builder, "obj", f"rootward.{name}", node, text)


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("missing-reference", public)
    return {"parallel_read_safe": True}
