"""``./dev demo``: diagnose why a robot does not cross a yard with 34 models, from its study file alone."""

import subprocess
import sys
from pathlib import Path

import rootward as rw

STUDY = Path(__file__).parent / "gap.toml"
OUT = Path(".rootward/demo")


def main() -> int:
    study, report = rw.load_study(STUDY), OUT / "report"
    assert study.elements is not None
    print(f"A robot with a box on its back should cross a yard with {len(study.elements)} models in it.")
    print(f"It does not get there: {study.subject.run(study.elements, seed=0, place=OUT / 'run').detail}. Why?\n")
    print(f"$ rootward diagnose {STUDY.name}\n", flush=True)
    for old in OUT.glob("demo.db*"):  # left by an earlier demo, perhaps of another version of Rootward
        old.unlink()
    lab = ["--store", OUT / "demo.db", "--out", report]
    code = subprocess.run([sys.executable, "-m", "rootward", "diagnose", STUDY, *lab]).returncode
    if code == 0:
        print("\nSo the robot fits under the beam, and it can cross the ramp, but the ramp lifts it into the beam.")
        others = sorted({path.name for path in report.iterdir()} - {"page.html"})
        print(f"Other files in that folder: {', '.join(others)}.")
        if "data:image/png" not in (report / "page.html").read_text():
            print("The report has no pictures of the robot: MuJoCo needs EGL or OSMesa to draw, and neither was found.")
    return code


if __name__ == "__main__":
    sys.exit(main())
