"""Flask uses internals of Werkzeug that came with 2.2, went with 3.0, or went with 3.1."""

import random

from real.points import Point, grid

SOURCE = "ImportError 'url_quote': Werkzeug 3 removed url_quote; 3.1 removed __version__; 2.2 added unbound_message"
PACKAGES: list[str] = []
FLASK = ("2.0.3", "2.1.3", "2.2.2", "2.2.5", "2.3.3", "3.0.3")
WERKZEUG = ("2.0.3", "2.1.2", "2.2.3", "2.3.8", "3.0.0", "3.0.6", "3.1.3")
OTHERS = ["jinja2==3.1.4", "itsdangerous==2.2.0", "click==8.1.8", "blinker==1.9.0", "markupsafe==3.0.2"]
VARIANTS = {
    **{f"flask=={version}": [f"flask=={version}", *OTHERS] for version in FLASK},
    **{f"werkzeug=={version}": [f"werkzeug=={version}"] for version in WERKZEUG},
}
KIND = "pair"
CONDITION = (
    "ImportError: flask in {2.0.3, 2.1.3, 2.2.2} and werkzeug in {3.0.0, 3.0.6, 3.1.3}; TypeError: flask not in "
    "{2.0.3, 2.1.3} and werkzeug in {2.0.3, 2.1.2}; AttributeError: flask = 2.2.5 and werkzeug = 3.1.3 and action = get"
)


def fails(config: Point) -> bool | str:
    flask, werkzeug = config["flask"], config["werkzeug"]
    if flask in FLASK[:3] and werkzeug in WERKZEUG[4:]:
        return "ImportError"
    if flask in FLASK[2:] and werkzeug in WERKZEUG[:2]:
        return "TypeError"
    last = flask == "2.2.5" and werkzeug == "3.1.3" and config["action"] == "get"
    return "AttributeError" if last else False


def points(rng: random.Random) -> list[Point]:
    return grid(flask=FLASK, werkzeug=WERKZEUG, action=("get", "json", "url"))
