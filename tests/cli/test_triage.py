"""``rootward triage`` and ``rootward model``, from the words typed to the exit code."""

import gc
import json
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import parse

import pytest

from rootward.cli import triage_progress
from rootward.cli.triage_progress import _bar, _Lines
from rootward.traces.triage import TraceExamined
from rootward.words import count
from tests.waiting import PATIENCE

ROOT = Path(__file__).parents[2]
TRACES = ROOT / "tests" / "data" / "traces"
MODEL = str(ROOT / "examples" / "models" / "uds_basic.yaml")
CTR = str(ROOT / "examples" / "models" / "ctr.yaml")
LAMP = str(ROOT / "tests" / "data" / "models" / "lamp.xml")
PDX = str(ROOT / "tests" / "data" / "models" / "somersault.pdx")
S3 = ("--param", "S3=500ms")
BAD = [str(TRACES / f"{name}.asc") for name in ("bad_late", "bad_noreset", "bad_s3")]
GOOD = str(TRACES / "good.asc")


def test_faults_are_exit_code_1_and_told_by_cause(bench, capfd):
    assert bench.here("triage", "--model", MODEL, *BAD, GOOD, *S3) == 1
    said = capfd.readouterr()
    assert said.out.startswith("3 of 4 traces depart from UDS basic (demo ECU), for 3 causes:\n")
    assert "It behaves as if timer S3 never ran out" in said.out
    assert said.err == ""


def test_all_conform_is_exit_code_0(bench, capfd):
    assert bench.here("triage", "--model", MODEL, GOOD, str(TRACES / "good.blf"), str(TRACES / "good.log"), *S3) == 0
    assert capfd.readouterr().out == "All 3 traces conform to UDS basic (demo ECU).\n"


def test_marks_of_the_test_environment_are_compared(bench, capfd, tmp_path):
    lines = (TRACES / "bad_late.asc").read_text().splitlines()
    lines.insert(7, "// step 1: FAIL")
    lines.insert(12, "// step 2: Abweichung")
    (tmp_path / "marked.asc").write_text("\n".join(lines))
    question = ("triage", "--model", MODEL, str(tmp_path / "marked.asc"), *S3)
    assert bench.here(*question) == 1
    assert "The test environment marked 1 error: 1 agrees with a fault.\n" in capfd.readouterr().out
    assert bench.here(*question, "--marks", "abweichung|FAIL") == 1
    said = capfd.readouterr().out
    assert "marked 2 errors: 1 agrees with a fault, at 1 there is no fault.\n" in said
    assert "Marks without a fault: marked.asc, line 13 at " in said
    assert bench.here(*question, "--json", "--marks", "step 1") == 1
    data = json.loads(capfd.readouterr().out)
    assert [(one["kind"], one["fault"], one["line"]) for one in data["marks"]] == [("agrees", 0, 8)]
    assert data["unmarked"] == []


def test_the_parameter_matters(bench):
    assert bench.here("triage", "--model", MODEL, BAD[2]) == 0  # with S3 of 5 s, the session has not run out


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([MODEL, "nothing.asc"], "nothing.asc does not exist"),
        (["nothing.yaml", GOOD], "nothing.yaml cannot be read"),
        (["model.txt", GOOD], "model.txt: unknown kind of model file; expected .yaml"),
        ([MODEL, GOOD, "--param", "S3"], "--param S3: expected NAME=VALUE, such as S3=500ms"),
        ([MODEL, GOOD, "--param", "S4=1s"], "unknown parameter 'S4'"),
        ([MODEL, GOOD, "--ecu", "7E0"], "--ecu 7E0: expected a name with two CAN ids"),
        ([MODEL, GOOD, "--marks", "("], "'(' is not a regular expression for the texts of marks"),
        ([MODEL, GOOD, "--jobs", "0"], "--jobs must be at least 1, not 0"),
        ([MODEL, GOOD, "--report", "no/such/folder.html"], "there is no folder no/such"),
        ([MODEL, GOOD, "--annotate", MODEL], "is not a folder"),
        ([LAMP, GOOD, *S3], "have no parameters"),
    ],
)
def test_a_wrong_question_is_exit_code_2_and_a_sentence(bench, capfd, arguments, reason):
    assert bench.here("triage", "--model", *arguments) == 2
    said = capfd.readouterr()
    assert said.out == ""
    assert reason in said.err
    assert "Traceback" not in said.err


def test_what_cannot_be_read_is_told_and_is_no_success(bench, capfd):
    noise = bench.folder / "noise.asc"
    noise.write_bytes(bytes(range(256)) * 20)
    assert bench.here("triage", "--model", MODEL, GOOD, str(noise), *S3, "--junit", "out.xml") == 2
    said = capfd.readouterr()
    assert said.out.startswith(
        "1 of 2 traces conforms to UDS basic (demo ECU).\n\n1 trace could not be judged: noise.asc."
    )
    assert said.err.count("noise.asc") == 5
    assert "more problem" in said.err
    cases = {case.get("name"): case for case in parse(bench.folder / "out.xml").iter("testcase")}
    assert [part.tag for part in cases["noise.asc"]] == ["error"]
    assert bench.here("triage", "--model", MODEL, str(noise), *S3) == 2
    assert "no trace could be judged; the reason for the first: " in capfd.readouterr().err


def test_what_was_read_in_part_is_no_success(bench, capfd):
    lines = Path(GOOD).read_text().splitlines()
    half = bench.folder / "half.asc"
    half.write_text("\n".join([*lines[:8], "garbage", *lines[8:]]))
    assert bench.here("triage", "--model", MODEL, "half.asc", *S3, "--junit", "out.xml") == 2
    said = capfd.readouterr()
    assert said.out.startswith("The trace conforms to UDS basic (demo ECU) as far as it could be read.\n")
    assert "half.asc: line 9: not a valid ASC line: expected one such as" in said.err
    [case] = parse(bench.folder / "out.xml").iter("testcase")
    assert [part.tag for part in case] == ["error"]
    assert bench.here("triage", "--model", MODEL, "half.asc", BAD[0], *S3) == 1


def test_the_wrong_model_is_no_success(bench, capfd):
    assert bench.here("triage", "--model", CTR, str(TRACES)) == 2
    said = capfd.readouterr()
    assert said.out == ""
    for piece in (
        "the model CTR knows none of its messages",
        "is about CTR (operations ack, ",
        "about ECU (operations ReadDataByIdentifier, ",
    ):
        assert piece in said.err
    other = bench.folder / "other.yaml"
    other.write_text(Path(MODEL).read_text() + "\necu: Body\n")
    assert bench.here("triage", "--model", "other.yaml", GOOD, *S3) == 2
    assert "is about Body (" in capfd.readouterr().err
    assert bench.here("triage", "--model", "other.yaml", GOOD, *S3, "--ecu", "Body=7E0/7E8") == 0


def test_each_ecu_of_a_recording_is_judged_by_itself(bench, capfd):
    two = []
    for line in Path(BAD[1]).read_text().splitlines():
        two += [line, line.replace("7E0", "7E1").replace("7E8", "7E9")] if " 7E" in line else [line]
    (bench.folder / "two.asc").write_text("\n".join(two))
    options = ["--certificates", "proofs", "--annotate", "notes", "--junit", "out.xml"]
    assert bench.here("triage", "--model", MODEL, "two.asc", *S3, *options) == 1
    said = capfd.readouterr().out
    assert said.startswith("2 of 2 traces depart from UDS basic (demo ECU), for 1 cause:")
    assert "two.asc (7E0), message 24 " in said
    assert "2 certificates in proofs." in said
    assert [case.get("name") for case in parse(bench.folder / "out.xml").iter("testcase")] == [
        "two.asc (7E0)",
        "two.asc (7E1)",
    ]
    assert bench.here("triage", "--model", MODEL, "two.asc", *S3, "--ecu", "B=7E1/7E9") == 1
    assert capfd.readouterr().out.startswith("The trace departs")


def test_a_file_that_is_named_twice_is_examined_once(bench, capfd):
    assert bench.here("triage", "--model", MODEL, GOOD, str(TRACES / "go*.asc"), str(TRACES), *S3) == 1
    assert capfd.readouterr().out.startswith("9 of 12 traces")


def test_broken_files_do_not_hide_faults(bench):
    noise = bench.folder / "noise.asc"
    noise.write_bytes(b"\x00" * 100)
    assert bench.here("triage", "--model", MODEL, BAD[0], str(noise), *S3) == 1


def test_the_data_are_all_that_is_printed_and_are_saved(bench, capfd):
    assert bench.here("triage", "--model", MODEL, *BAD, *S3, "--json") == 1
    printed = json.loads(capfd.readouterr().out)
    assert bench.here("triage", "--model", MODEL, *BAD, *S3, "--out", "saved") == 1
    assert "The finding is saved in saved." in capfd.readouterr().out
    assert json.loads((bench.folder / "saved" / "finding.json").read_text()) == printed
    assert printed["finding"] == "triage"
    about = {"id", "cause", "traces", "representative", "others", "faults", "groups", "example"}
    assert about | {"decisions", "contradicted", "compared", "doubt"} == set(printed["classes"][0])


def test_everything_at_once_and_certificates_hold(bench, capfd):
    options = ["--report", "out.html", "--junit", "out.xml", "--annotate", "notes", "--certificates", "proofs"]
    assert bench.here("triage", "--model", MODEL, *BAD, GOOD, *S3, *options) == 1
    said = capfd.readouterr().out
    for note in (
        "The report is out.html.",
        "The test results are out.xml.",
        "3 annotated traces in notes.",
        "4 certificates in proofs.",
    ):
        assert note in said
    assert len(list((bench.folder / "notes").iterdir())) == 3
    for path in sorted((bench.folder / "proofs").iterdir()):
        assert bench.here("model", "verify", str(path)) == 0
        assert capfd.readouterr().out.startswith("Accepted: recording bad_")
    assert 'href="' in (bench.folder / "out.html").read_text()


def test_a_certificate_that_was_changed_is_exit_code_1(bench, capfd):
    assert bench.here("triage", "--model", MODEL, BAD[1], *S3, "--certificates", "proofs", "-q") == 1
    [path] = (bench.folder / "proofs").iterdir()
    path.write_text(path.read_text().replace("01001234", "01000000"))
    capfd.readouterr()
    assert bench.here("model", "verify", str(path)) == 1
    assert "was changed or damaged after it was written" in capfd.readouterr().out
    path.write_text("{}")
    assert bench.here("model", "verify", str(path)) == 2
    assert "is not a certificate that Rootward wrote" in capfd.readouterr().err


def test_a_certificate_is_compared_with_a_model_and_a_recording(bench, capfd):
    assert bench.here("triage", "--model", MODEL, BAD[1], *S3, "--certificates", "proofs", "-q") == 1
    [path] = (bench.folder / "proofs").iterdir()
    capfd.readouterr()
    assert bench.here("model", "verify", str(path), "--model", MODEL, *S3, "--trace", BAD[1]) == 0
    said = capfd.readouterr().out
    assert "(demo ECU), the same as a file of yours" in said
    assert "bad_noreset.asc, the same as in the file bad_noreset.asc" in said
    assert bench.here("model", "verify", str(path), "--model", MODEL) == 1
    assert "It is about another model" in capfd.readouterr().out
    assert bench.here("model", "verify", str(path), "--trace", GOOD) == 1
    assert "It is about another recording" in capfd.readouterr().out
    assert bench.here("model", "verify", str(path), "--trace", BAD[1], "--ecu", "Body=7E0/7E8") == 1
    assert "message 1 of bad_noreset.asc is different" in capfd.readouterr().out
    assert bench.here("model", "verify", str(path), *S3) == 2
    assert "--param and --variant need a model" in capfd.readouterr().err
    assert bench.here("model", "verify", str(path), "--trace", "nothing.asc") == 2
    assert "nothing.asc" in capfd.readouterr().err


def test_traces_of_one_name_get_files_of_their_own(bench):
    for folder in ("a", "b"):
        (bench.folder / folder).mkdir()
        shutil.copy(BAD[1], bench.folder / folder / "same.asc")
    assert (
        bench.here(
            "triage", "--model", MODEL, "a/same.asc", "b/same.asc", *S3, "--annotate", "n", "--certificates", "c"
        )
        == 1
    )
    assert sorted(path.name for path in (bench.folder / "n").iterdir()) == ["same.asc", "same.asc-2.asc"]
    assert sorted(path.name for path in (bench.folder / "c").iterdir()) == ["same.asc-2.1.json", "same.asc.1.json"]


def test_several_jobs_say_the_same(bench, capfd):
    said = []
    for jobs in ("1", "2"):
        assert bench.here("triage", "--model", MODEL, *BAD, GOOD, *S3, "--jobs", jobs, "-q") == 1
        said.append(capfd.readouterr())
    assert said[0] == said[1]
    assert said[0].err == ""


def test_ecus_are_named(bench, capfd):
    assert bench.here("triage", "--model", MODEL, BAD[1], *S3, "--ecu", "Body=7E0/0x7E8") == 1
    assert "res Body ReadDataByIdentifier 01001234" in capfd.readouterr().out
    assert bench.here("triage", "--model", MODEL, BAD[1], *S3, "--ecu", "Other=700/708") == 2


SLOW = """
import sys, time
from rootward.cli import main, triage_progress
from rootward.traces.examine import Examiner

faults, triage_progress.INTERVAL = Examiner.find_faults, 0

def slow(self, trace):
    if trace.name == "long.asc":
        sys.stderr.write("busy\\n")  # one write: a line of another process cannot fall into it
        while True:
            time.sleep(0.01)
    return faults(self, trace)

Examiner.find_faults = slow
if __name__ == "__main__":
    main(sys.argv[1:])
"""
"""The command line with a trace that takes for ever, in workers, too; and with a line for each trace that is done."""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_ends_with_what_was_found_and_does_not_wait_for_a_long_trace(bench, jobs):
    (bench.folder / "slow.py").write_text(SLOW)
    names = [*(f"{number}.asc" for number in range(5)), "long.asc", "other.asc"]
    for name in names:
        shutil.copy(BAD[1], bench.folder / name)
    command = [sys.executable, "slow.py", "triage", "--model", MODEL, *names, *S3, "--jobs", jobs]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, cwd=bench.folder, **pipes) as process:
        said = sorted(process.stderr.readline() for _ in range(6))
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert said == [*(f"{done} of 7 traces, {count(done, 'fault')} so far\n" for done in range(1, 6)), "busy\n"]
    assert (process.returncode, err) == (130, "")
    assert out.startswith("5 of 5 traces depart from UDS basic (demo ECU), for 1 cause:")
    assert out.endswith("Interrupted: this covers 5 of 7 traces.\n")


def test_lines_come_once_a_second_and_a_bar_can_be_drawn(capsys, monkeypatch):
    monkeypatch.setattr(triage_progress, "INTERVAL", 1.0)
    monkeypatch.setattr("time.monotonic", lambda: 1e9)
    lines = _Lines(2000)
    lines(TraceExamined("a", 2, 1))
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("time.monotonic", lambda: 1e9 + 1)
    lines(TraceExamined("b", 1, 2))
    assert capsys.readouterr().err == "2 of 2,000 traces, 3 faults so far\n"
    with _bar(2) as show:
        show(TraceExamined("a", 1, 1))


def test_checking_a_model(bench, capfd):
    assert bench.here("model", "check", MODEL) == 0
    assert "UDS basic (demo ECU): 9 components, " in capfd.readouterr().out
    assert bench.here("model", "check", LAMP) == 0
    assert bench.here("model", "check", MODEL, "--variant", "x") == 2
    wrong = bench.folder / "wrong.yaml"
    edge = '{from: a, to: a, on: "req X <n:int>", when: $n > 3 and $n < 2}'
    wrong.write_text(f"model: wrong\ncomponents:\n  c:\n    initial: a\n    edges:\n      - {edge}\n")
    capfd.readouterr()
    assert bench.here("model", "check", str(wrong)) == 1
    said = capfd.readouterr().out
    assert "error: component c, edge a -> a" in said
    assert said.endswith("wrong: 1 component, 1 location, 1 edge; 1 error, 0 warnings.\n")


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_model_of_several_variants(bench, capfd):
    """The ODX reader leaves files open."""
    assert bench.here("model", "check", PDX) == 2
    assert "so name a variant" in capfd.readouterr().err
    assert bench.here("model", "check", PDX, "--variant", "somersault_lazy") == 0
    gc.collect()  # else the warning would be given in another test


def test_a_picture_of_a_model(bench, capfd):
    assert bench.here("model", "picture", CTR, "-o", "out.svg") == 0
    assert "The picture is out.svg." in capfd.readouterr().out
    assert (bench.folder / "out.svg").read_text().startswith("<svg")
    assert bench.here("model", "picture", CTR, "-o", "no/out.svg") == 2
