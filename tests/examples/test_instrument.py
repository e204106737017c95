"""examples/instrument: both bugs are found with and without the check, and with it for fewer runs."""

import re
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "examples" / "instrument"


def test_it_prints_both_causes_twice() -> None:
    done = subprocess.run([sys.executable, "ratings.py"], cwd=FOLDER, capture_output=True, text=True, check=True)
    assert done.stdout.startswith('Put a check after "Read Previous Ratings"')
    without, checked = re.split("\nwith the check", done.stdout.partition("\nwithout the check")[2])
    runs = [int(re.search(r"(\d+) runs", part)[1]) for part in (without, checked)]
    assert runs[1] < runs[0]
    for part in (without, checked):
        assert '  "Previous Date" = "03-22"' in part
        assert '  "Script 1" = v3 and "Script 2" = v2' in part
