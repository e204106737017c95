"""``./dev demo``: a robot does not cross a yard with 34 things in it. Why? A diagnosis from nothing but its study."""

import sys
import time
from pathlib import Path

import rootward as rw
from rootward.diagnosis import bundle
from rootward.progress import shown
from rootward.study import load

STUDY = Path(__file__).parent / "gap.toml"
OUT = Path(".rootward/demo")


def main() -> int:
    start = time.monotonic()
    study = load(STUDY)
    print(f"A robot with a box on its back drives through a yard with {len(study.elements or ())} things in it:\n")
    print(f"  {study.subject.run(study.elements, seed=0, place=OUT / 'run').detail}.\n")
    print("Which of them are the reason, and when exactly? Rootward lets it drive again and again:\n")
    print(f"$ rootward diagnose {STUDY.name}\n", flush=True)
    with shown() as show:
        found = rw.diagnose(study, store=OUT / "demo.db", fresh=True, on_event=show)
    print(found)
    page, *others = bundle.write(found, study, OUT / "report")
    print(f"\n{found.cost()}, in {time.monotonic() - start:.0f} s on this machine.")
    print("So it fits under the beam, and it crosses the ramp; but the ramp lifts it by more than the beam leaves it.")
    print(f"\nOpen {page}: maps, pictures of the robot, the condition and what supports it.")
    print(f"Beside it: {', '.join(path.name for path in others)}.")
    if "data:image/png" not in page.read_text():
        print("It has no pictures of the robot: MuJoCo cannot draw on this machine (it needs EGL or OSMesa).")
    return 0 if found.complete else 1


if __name__ == "__main__":
    sys.exit(main())
