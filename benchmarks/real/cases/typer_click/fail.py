"""Start a small Typer program, or ask it for its help, with chosen versions of Typer and Click."""

import json
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2]))

from versions import folders, run_program

FOLDERS = folders()
PROGRAM = """
import sys, typer
from typer.testing import CliRunner

parameter, markup, action = sys.argv[1:]
app = typer.Typer(rich_markup_mode=None if markup == "none" else markup)

if parameter == "flag":
    @app.command()
    def main(x: bool = False): pass
    arguments = ["--x"]
elif parameter == "option":
    @app.command()
    def main(x: int = 3): pass
    arguments = ["--x", "4"]
else:
    @app.command()
    def main(x: str): pass
    arguments = ["a"]

result = CliRunner().invoke(app, ["--help"] if action == "help" else arguments)
if result.exception:
    raise result.exception
"""


def run(config: dict) -> None:
    path = [FOLDERS[f"click=={config['click']}"], FOLDERS[f"typer=={config['typer']}"]]
    run_program(PROGRAM, path, config["parameter"], config["markup"], config["action"])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
