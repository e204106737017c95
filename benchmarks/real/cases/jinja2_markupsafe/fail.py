"""Render a template, with chosen versions of Jinja2 and MarkupSafe."""

import json
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2]))

from versions import folders, run_program

FOLDERS = folders()
PROGRAM = """
import sys, jinja2
text, autoescape = sys.argv[1:]
jinja2.Environment(autoescape=autoescape == "True").from_string(text).render(x="<b>")
"""
TEMPLATES = {
    "value": "{{ x }}",
    "macro": "{% macro show(x) %}{{ x }}{% endmacro %}{{ show('<')|upper }}",
    "filter": "{{ ['<', '>'|safe]|join(', ') }}",
}


def run(config: dict) -> None:
    path = [FOLDERS[f"markupsafe=={config['markupsafe']}"], FOLDERS[f"jinja2=={config['jinja2']}"]]
    run_program(PROGRAM, path, TEMPLATES[config["template"]], str(config["autoescape"]))


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
