"""Create a client of OpenAI's interface, with chosen versions of openai and httpx."""

import json
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2]))

from versions import folders, run_program

FOLDERS = folders()
PROGRAM = """
import sys, httpx, openai
client, own = sys.argv[1:]
options = {"api_key": "key"}
if client == "AzureOpenAI":
    options.update(api_version="2024-02-01", azure_endpoint="https://example.org")
if own == "True":
    options["http_client"] = httpx.AsyncClient() if client == "AsyncOpenAI" else httpx.Client()
getattr(openai, client)(**options)
"""


def run(config: dict) -> None:
    path = [FOLDERS[f"httpx=={config['httpx']}"], FOLDERS[f"openai=={config['openai']}"]]
    run_program(PROGRAM, path, config["client"], str(config["own_http_client"]))


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
