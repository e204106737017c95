"""The tester: runs the cases of ``suite.yaml`` with a udsoncan client, each on its own bench.

A step is ``REQUEST > RESPONSE`` in hexadecimal digits, where ``..`` is any byte, and an empty response means that none
may come; or ``wait 450 ms``; or the name of a shorthand. ``{key}`` is the key for the last seed, ``{wrong}`` another.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from random import Random

import yaml
from bench import Bench, Real, Simulated
from ecu import P2, P2_STAR, Ecu, key_for
from udsoncan.client import Client
from udsoncan.configs import default_client_config
from udsoncan.connections import BaseConnection
from udsoncan.exceptions import InvalidResponseException, NegativeResponseException, TimeoutException
from udsoncan.Request import Request
from udsoncan.typing import ClientConfig

SUITE = Path(__file__).parent / "suite.yaml"
PATIENCE = 0.150
"""Additional seconds for which the tester waits, to distinguish late answers from missing ones."""
LAST = 1.0
"""Seconds for which it continues to record after an unexpected answer: another one may still come."""
THREADS = 6
CONFIG = default_client_config | ClientConfig(
    request_timeout=10.0, p2_timeout=P2 + PATIENCE, p2_star_timeout=P2_STAR + 4 * PATIENCE, use_server_timing=False
)
logging.getLogger("UdsClient").setLevel(logging.ERROR)


class Unexpected(Exception):
    """The unit did not behave as the case expects."""


@dataclass(frozen=True)
class Result:
    case: str
    problem: str = ""
    """The difference from the expected behaviour; empty if the case passed."""


class Line(BaseConnection):
    """Adapts the bench to the connection interface of udsoncan, and notes the first answer that came too late."""

    def __init__(self, bench: Bench) -> None:
        super().__init__("bench")
        self.bench = bench
        self.deadline = 0.0
        self.late = 0.0

    def specific_send(self, payload: bytes, timeout: float | None = None) -> None:
        self.bench.send(payload)
        self.deadline, self.late = self.bench.clock.now() + P2, 0.0

    def specific_wait_frame(self, timeout: float | None = None) -> bytes:
        if not (payload := self.bench.listen(timeout or 0.0)):
            raise TimeoutException
        self.late = self.late or max(0.0, self.bench.unit.began - self.deadline)
        self.deadline = self.bench.unit.began + P2_STAR
        return payload

    def empty_rxqueue(self) -> None:
        self.bench.tester_link.clear_rx_queue()

    def open(self) -> Line:
        return self

    def close(self) -> None:
        self.bench.close()

    def is_open(self) -> bool:
        return True


class Tester:
    """Executes the steps of a case, and remembers the last seed."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self.client = Client(line, config=CONFIG)
        self.seed = bytes(4)

    def step(self, text: str) -> None:
        """Execute one step of the suite."""
        if found := re.fullmatch(r"wait (\d+) ms", text):
            if answer := self.line.bench.listen(int(found[1]) / 1000):
                raise Unexpected(f"{_digits(answer)} came while nothing was asked")
        else:
            request, _, response = text.partition(">")
            self.ask(request, response)

    def ask(self, request: str, expected: str) -> None:
        key = key_for(self.seed)
        request = request.format(key=key.hex(), wrong=bytes([key[0], *(byte ^ 1 for byte in key[1:])]).hex())
        answer = self.answer(bytes.fromhex(request))
        said = f"{_digits(bytes.fromhex(request))}: expected {expected.strip() or 'no answer'}"
        if re.fullmatch(expected.replace(" ", ""), answer.hex().upper()) is None:
            raise Unexpected(f"{said}, got {_digits(answer) or 'no answer'}")
        if self.line.late:
            raise Unexpected(f"{said}, got it {self.line.late * 1000:.0f} ms too late")
        if answer[:2] == b"\x67\x01":
            self.seed = answer[2:]

    def answer(self, request: bytes) -> bytes:
        """Return the final answer of the unit; empty if there is none."""
        try:
            response = self.client.send_request(Request.from_payload(request))
        except (NegativeResponseException, InvalidResponseException) as error:
            response = error.response
        except TimeoutException:
            return b""
        return self.line.bench.listen(P2) if response is None else bytes(response.original_payload or b"")


@cache
def suite() -> dict[str, list[str]]:
    """Return the steps of each case."""
    text = yaml.safe_load(SUITE.read_text(encoding="utf-8"))

    def steps(lines: list[str]) -> Iterator[str]:
        for line in lines:
            yield from steps(text["shorthands"][line]) if line in text["shorthands"] else [line]

    return {name: list(steps(lines)) for name, lines in text["cases"].items()}


def run(case: str, out: Path, *, faults: Collection[str] = (), simulated: bool = False) -> Result:
    """Run one case on a new unit, up to the first unexpected answer, and record it."""
    clock = Simulated() if simulated else Real()
    ecu = Ecu(faults, Random(case), alive=clock.now())
    line = Line(Bench(ecu, clock, f"{out}/{case}"))
    tester = Tester(line)
    try:
        for text in suite()[case]:
            tester.step(text)
        line.bench.listen(PATIENCE)
        return Result(case)
    except Unexpected as surprise:
        line.bench.listen(LAST)
        return Result(case, str(surprise))
    finally:
        line.bench.record(out / case)
        line.close()


def run_all(out: Path, *, faults: Collection[str] = (), simulated: bool = False) -> list[Result]:
    """Run the suite. In real time the cases mostly wait, so several of them run in parallel."""
    out.mkdir(parents=True, exist_ok=True)
    one = partial(run, out=out, faults=faults, simulated=simulated)
    with ThreadPoolExecutor(1 if simulated else THREADS) as pool:
        return list(pool.map(one, suite()))


def _digits(message: bytes) -> str:
    return message.hex(" ").upper()
