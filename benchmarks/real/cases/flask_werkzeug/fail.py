"""Use a small Flask application, with chosen versions of Flask and Werkzeug."""

import json
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2]))

from versions import folders, run_program

FOLDERS = folders()
PROGRAM = """
import sys, flask
app = flask.Flask("app")

@app.route("/")
def index():
    return "hello"

if sys.argv[1] == "get":
    assert app.test_client().get("/").data == b"hello"
elif sys.argv[1] == "json":
    with app.app_context():
        assert flask.jsonify(a=1).status_code == 200
else:
    with app.test_request_context("/"):
        assert flask.url_for("index") == "/"
"""


def run(config: dict) -> None:
    path = [FOLDERS[f"werkzeug=={config['werkzeug']}"], FOLDERS[f"flask=={config['flask']}"]]
    run_program(PROGRAM, path, config["action"])


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
