"""The counter of the paper: the model of its Figure 2 and the three traces of its Figure 1.

The text of the paper gives (Examples 2, 6 and 7): the operations set, get and log and their answers; ``ctx`` takes the
value of an acknowledged set; the clock starts anew with each acknowledgement; p4 may wait while clk < 55 and may go to
p5, with ctx = 0, while 50 <= clk < 55; p5 may wait for ever.

The figures themselves are not in the text. Made up to fit: which locations set, get and log lead to (p1, p2, p3, of
which Figure 4 confirms p1 and p2); that p4 is the initial one (all conditions that the text prints are about p4); all
times but the 12, 11 and 1 ms of Example 4, whose conditions (clk < 23 before, clk < 47 after) leave 3 ms for the get.

Example 6 says that after 1 ms and 5 ms more ctx = 0 holds "for both p4 and p5". With the automaton above, p4 is dead
by then, because neither of its edges is enabled at clk >= 55. An edge of time from p5 back to p4 makes the sentence
true, and no other one of the text false: that reading is ``ctr(back=True)``. It is not the default, as it adds a clock
constraint on p5 that Figure 4 does not have. Example 7 leaves out the configurations that cannot wait at all
(clk >= 54), which its own definition of the pre image includes.
"""

from __future__ import annotations

from rootward.traces.model.event import Event, Trace
from rootward.traces.model.guard import TRUE, Bound, Const, Param, Test, Var
from rootward.traces.model.model import UNKNOWN, Component, Edge, Location, Model
from rootward.traces.model.pattern import Pattern

MS = 1000
SET, ACK, FAIL = "req CTR set 5", "res CTR ack 5", "res CTR fail"
GET, LOG, DONE = "req CTR get", "req CTR log data", "res CTR done"


def ctr(back: bool = False) -> Model:
    """Figure 2; with `back`, p5 may return to p4 while time passes."""
    return Model("CTR", (operations(), expiry(back)), variables={"ctx": UNKNOWN}, clocks={"clk": UNKNOWN})


def operations() -> Component:
    value = Param("val")
    edges = (
        Edge("p0", "p1", Pattern("req CTR set <val:int>")),
        Edge("p1", "p0", Pattern("res CTR ack <val:int>"), set={"ctx": value}),
        Edge("p1", "p0", Pattern("res CTR fail")),
        Edge("p0", "p2", Pattern("req CTR get")),
        Edge("p2", "p0", Pattern("res CTR ret <val:int>"), when=((Test(Var("ctx"), "=", value),),)),
        Edge("p0", "p3", Pattern("req CTR log ...")),
        Edge("p3", "p0", Pattern("res CTR done")),
    )
    return Component("operations", tuple(map(Location, ("p0", "p1", "p2", "p3"))), ("p0",), edges)


def expiry(back: bool = False) -> Component:
    before = Bound("clk", "<", 55 * MS)
    ack = Pattern("res CTR ack <val:int>")
    edges = [
        Edge("p4", "p5", when=((Bound("clk", ">=", 50 * MS), before),), set={"ctx": Const(0)}),
        Edge("p4", "p4", ack, reset=frozenset({"clk"})),
        Edge("p5", "p4", ack, reset=frozenset({"clk"})),
    ]
    if back:
        edges.append(Edge("p5", "p4", when=TRUE))
    return Component("expiry", (Location("p4", stay=((before,),)), Location("p5")), ("p4",), tuple(edges))


def trace(name: str, *steps: tuple[int, str]) -> Trace:
    """A trace as the paper writes it: each message with the milliseconds since the one before."""
    events, now = [], 0
    for number, (wait, text) in enumerate(steps, 1):
        now += wait * MS
        kind, ecu, operation, *payload = text.split(" ")
        events.append(Event(now, kind, ecu, operation, " ".join(payload), number))
    return Trace(name, tuple(events))


TEST_1 = trace("Test-1", (3, SET), (2, ACK), (15, GET), (2, "res CTR ret 0"))
TEST_2 = trace("Test-2", (4, SET), (2, ACK), (12, LOG), (11, DONE), (1, GET), (3, "res CTR ret 0"))
TEST_3 = trace("Test-3", (3, SET), (2, ACK), (60, GET), (2, "res CTR ret 5"))
