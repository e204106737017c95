"""The directive ``command-line``: what ``rootward --help`` and the help of all commands say, as sections of a page."""

import inspect
from collections.abc import Iterator
from typing import Any

from docutils import nodes
from docutils.nodes import Node, make_id
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from typer.main import get_command

from rootward.cli import app as program


class CommandLine(SphinxDirective):
    def run(self) -> list[Node]:
        root = get_command(program)
        context = root.make_context("rootward", [], resilient_parsing=True)
        return [self._section(command, inner) for command, inner in commands(root, context)]

    def _section(self, command: Any, context: Any) -> nodes.section:
        path = context.command_path
        section = nodes.section(ids=[make_id(path)], names=[path], classes=["command"])
        section += nodes.title(path, path)
        section += nodes.literal_block("", command.get_usage(context).removeprefix("Usage: "), language="text")
        for text in paragraphs(command.help or ""):
            example = text.startswith("rootward ")
            section += nodes.literal_block("", text, language="text") if example else nodes.paragraph("", text)
        rows = [row for row in (one.get_help_record(context) for one in command.get_params(context)) if row]
        section += options(rows)
        return section


def commands(command: Any, context: Any) -> Iterator[tuple[Any, Any]]:
    """A command and all that are in it, each with its context. Typer has a Click of its own, so no type is named."""
    yield command, context
    for name in command.list_commands(context) if hasattr(command, "list_commands") else ():
        inner = command.get_command(context, name)
        yield from commands(inner, type(context)(inner, info_name=name, parent=context))


def paragraphs(text: str) -> list[str]:
    parts = inspect.cleandoc(text).replace("\b\n", "").split("\n\n")
    return [" ".join(part.split()) for part in parts if part.strip()]


def options(rows: list[tuple[str, str]]) -> nodes.definition_list:
    listed = nodes.definition_list(classes=["options"])
    for names, text in rows:
        term = nodes.term("", "", nodes.literal("", names))
        listed += nodes.definition_list_item("", term, nodes.definition("", nodes.paragraph("", text)))
    return listed


def can_be_linked_to(app: Sphinx, doctree: nodes.document) -> None:
    """A link such as ``cli.md#rootward-reduce`` finds its heading among those that Markdown made; so join them."""
    anchors = app.env.metadata[app.env.docname].setdefault("myst_slugs", {})
    for section in doctree.findall(nodes.section):
        if "command" in section["classes"]:
            anchors[section["ids"][0]] = (None, section["ids"][0], section["names"][0])


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("command-line", CommandLine)
    app.connect("doctree-read", can_be_linked_to)
    return {"parallel_read_safe": True}
