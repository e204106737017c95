"""Pages in a real browser, without a network: they show what they should, do what they offer, and nothing else."""

import base64
import json
import math
import random
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest

from rootward.report.data import document, read_embedded
from rootward.report.page import fragment, page
from rootward.report.trials import pack_column
from tests.browsing import Tab
from tests.properties import few

from .samples import ROOT, brief, everything, hostile, made, runs

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow
AXE = ROOT / "tests" / "vendor" / "axe-core" / "axe.min.js"
ELEMENTS = "document.querySelectorAll('*').length"
LOCAL = ("file:", "blob:", "data:", "about:")
DESK: Any = {"width": 1200, "height": 900}
PHONE: Any = {"width": 360, "height": 740}


class Looked:
    """A page that was opened, and what it complained about or asked for."""

    def __init__(self, tab: Tab, folder: Path) -> None:
        self.folder, self._tab, self.page = folder, tab, tab.page

    @property
    def troubles(self) -> list[str]:
        return [*self._tab.said, *(url for url in self._tab.asked if not url.startswith(LOCAL))]

    def open(self, written: str, hash: str = "") -> "Page":
        path = self.folder / "page.html"
        path.write_text(written, encoding="utf-8")
        self.page.goto("about:blank")
        self.page.goto(f"{path.as_uri()}{hash}")
        self.page.wait_for_selector("html[data-ready]", state="attached")
        return self.page


@pytest.fixture
def looked(tab: Tab, tmp_path: Path) -> Iterator[Looked]:
    tab.reset(offline=True)
    tab.page.set_viewport_size(DESK)
    looked = Looked(tab, tmp_path)
    yield looked
    assert not looked.troubles


@pytest.fixture
def phone(browser: "Browser", tmp_path: Path) -> Iterator[Looked]:
    tab = Tab(browser, viewport=PHONE, offline=True, has_touch=True, is_mobile=True)
    looked = Looked(tab, tmp_path)
    yield looked
    tab.context.close()
    assert not looked.troubles


@pytest.mark.rest
def test_a_report_of_each_kind(looked: Looked) -> None:
    for kind, run in runs().items():
        shown = looked.open(page(document([run])))
        assert shown.locator("h1").inner_text().strip(), kind
        assert shown.get_by_text("How sure is that?").is_visible(), kind
        assert 500 < shown.evaluate("document.documentElement.scrollHeight") < 12_000, kind
        assert shown.locator(".run table, .run pre").count(), kind
        assert not looked.troubles, kind


@pytest.mark.parametrize("scheme", few(1, ["light", "dark"]))
def test_nobody_is_kept_out(scheme: Literal["light", "dark"], looked: Looked) -> None:
    looked.page.emulate_media(reduced_motion="reduce", color_scheme=scheme)
    shown = looked.open(page(document(list(map(brief, runs().values())))))
    shown.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    shown.locator(".trials tbody button").first.click()
    shown.evaluate(AXE.read_text(encoding="utf-8"))
    assert barriers(shown) == []


def barriers(shown: "Page") -> list[tuple[str, str, str]]:
    """The serious ones that axe-core finds."""
    found = shown.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [
        (one["id"], node["html"][:200], node.get("failureSummary", "")[:300])
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"][:3]
    ]


def test_a_phone_and_paper(phone: Looked) -> None:
    shown = phone.open(page(everything()))
    assert shown.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    wide = """[...document.querySelectorAll('body *')].filter(one => one.getBoundingClientRect().right > innerWidth + 1
              && !one.closest('.scroll, figure, .tree, .skip')).map(one => one.outerHTML.slice(0, 120))"""
    assert shown.evaluate(wide) == []
    shown.set_viewport_size({"width": 720, "height": 1000})
    shown.emulate_media(media="print")
    assert shown.evaluate(wide.replace(".scroll, ", "")) == [], "nothing is cut off"
    assert shown.locator(".tools").first.is_hidden()


def test_a_page_is_not_blank(looked: Looked) -> None:
    """Light is light, dark is dark, and there is some colour in both."""
    shown = looked.open(page(document([runs()["map"]])))
    pictures = {}
    for scheme in ("light", "dark"):
        shown.emulate_media(color_scheme=scheme)
        pictures[scheme] = base64.b64encode(shown.screenshot()).decode()
    shown.goto("about:blank")
    for scheme, picture in pictures.items():
        bright, coloured = shown.evaluate(PIXELS, picture)
        assert bright > 0.8 if scheme == "light" else bright < 0.2
        assert 0.001 < coloured < 0.3


PIXELS = """async picture => {
  const image = new Image(); image.src = `data:image/png;base64,${picture}`; await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height), pen = canvas.getContext("2d");
  pen.drawImage(image, 0, 0);
  const data = pen.getImageData(0, 0, image.width, image.height).data, count = data.length / 4;
  let bright = 0, coloured = 0;
  for (let i = 0; i < data.length; i += 4) {
    const rgb = [data[i], data[i + 1], data[i + 2]];
    bright += Math.min(...rgb) > 160; coloured += Math.max(...rgb) - Math.min(...rgb) > 60;
  }
  return [bright / count, coloured / count];
}"""
"""Which shares of a picture are bright, and coloured: the browser decodes it."""


def cells_of(shown: "Page", place: int) -> list[str]:
    rows = shown.locator(".listing tbody tr:not(.whole)")
    return rows.evaluate_all("(rows, place) => rows.map(row => row.cells[place].textContent)", place)


def test_trials_are_filtered_sorted_and_paged(looked: Looked) -> None:
    shown = looked.open(page(made(300)))
    status, heads = shown.get_by_role("status"), shown.locator(".listing thead")
    assert status.inner_text() == "300 trials"
    assert shown.get_by_text("Page 1 of 6").is_visible()
    shown.get_by_role("button", name="Next").click()
    assert cells_of(shown, 0)[0] == "51"
    shown.get_by_role("button", name="field0").click()
    assert cells_of(shown, 2)[:3] == ["0", "1", "2"]
    assert heads.locator("th[aria-sort=ascending]").inner_text() == "field0"
    assert shown.locator("caption", has_text="Sorted by field0, smallest first").count()
    shown.get_by_role("button", name="field0").click()
    assert cells_of(shown, 2)[:3] == ["299", "298", "297"]
    shown.locator(".tools select").select_option("FAIL")
    assert status.inner_text() == "75 of 300 trials"
    shown.keyboard.press("/")
    shown.keyboard.type("detail 8")
    few, cells = status.inner_text(), cells_of(shown, 0)
    assert few == f"{len(cells)} of 300 trials" != "0 of 300 trials"
    assert shown.evaluate("document.activeElement.type") == "search"
    again = looked.open(page(made(300)), shown.evaluate("location.hash"))
    assert again.get_by_role("status").inner_text() == few
    assert cells_of(again, 0) == cells
    assert again.locator(".tools select").input_value() == "FAIL"
    again.get_by_label("Filter").fill("nothing has this")
    assert again.get_by_role("status").inner_text() == "0 of 300 trials"


def test_columns_can_be_chosen(looked: Looked) -> None:
    shown = looked.open(page(made(20, fields=12)))
    heads = shown.locator(".listing thead th")
    before = heads.all_inner_texts()
    assert "field11" not in before
    shown.get_by_text("Columns").click()
    shown.get_by_label("field11").check()
    assert heads.all_inner_texts() == [*before[:-2], "field11", *before[-2:]]


def test_a_link_to_one_trial(looked: Looked) -> None:
    shown = looked.open(page(made(300)), "#run-1-trial-123")
    row = shown.locator("#run-1-trial-123")
    assert row.is_visible()
    assert row.evaluate(
        "row => { const box = row.getBoundingClientRect(); return box.top > 0 && box.top < innerHeight; }"
    )
    assert shown.locator("tr.whole dt").all_inner_texts()[-1] == "same"
    row.get_by_role("button").click()
    assert shown.locator("tr.whole").count() == 0
    assert shown.evaluate("location.hash") == "#run-1?page=3"


def test_drawings_zoom_and_tell_what_is_in_them(looked: Looked) -> None:
    written = page(document([runs()["map"]]))
    mark = '<circle cx="50" cy="25" r="9"><title>one &lt;mark></title></circle>'
    svg = f'<svg class="zoomable" role="img" aria-label="x" viewBox="0 0 100 50">{mark}</svg>'
    shown = looked.open(written.replace("<figure>", f"<figure>{svg}</figure><figure>", 1))
    drawn, view = shown.locator("svg.zoomable").first, shown.locator(".view").first
    view.hover()
    view.get_by_role("button", name="Zoom in").click()
    assert float(drawn.get_attribute("viewBox").split()[2]) == pytest.approx(100 / 1.5)
    view.get_by_role("button", name="Show all").click()
    assert drawn.get_attribute("viewBox") == "0 0 100 50"
    view.focus()
    shown.keyboard.press("+")
    shown.keyboard.press("ArrowRight")
    x, _, wide, _ = map(float, drawn.get_attribute("viewBox").split())
    assert x == pytest.approx((100 - wide) / 2 + 0.2 * wide)
    shown.keyboard.press("0")
    drawn.hover()
    shown.mouse.wheel(0, -300)
    shown.wait_for_selector(".view.zoomed")
    shown.keyboard.press("0")
    shown.mouse.move(0, 0)
    drawn.locator("circle").hover()
    assert shown.get_by_role("tooltip").inner_text() == "one <mark>"
    shown.keyboard.press("Escape")
    assert not shown.get_by_role("tooltip").is_visible()
    view.focus()
    shown.keyboard.press("ArrowRight")
    assert shown.get_by_role("tooltip").is_visible()


@pytest.mark.rest
def test_ten_thousand_trials(looked: Looked) -> None:
    rng = random.Random(1)
    huge = made(10_000, fields=20)
    fields = {f"field{i}": pack_column([rng.random() for _ in range(10_000)]) for i in range(10, 20)}
    huge["runs"][0]["trials"]["fields"] |= fields
    written = page(huge)
    assert len(written.encode()) < 5_000_000
    shown = looked.open(written)
    assert shown.evaluate(ELEMENTS) < 5_000, "only those on the page are drawn"
    shown.get_by_label("Filter").fill("detail 49")
    assert shown.get_by_role("status").inner_text() == "200 of 10,000 trials"
    assert shown.evaluate(ELEMENTS) < 5_000


def test_a_hostile_subject_is_shown_and_not_obeyed(looked: Looked) -> None:
    looked.page.set_viewport_size(PHONE)
    written = page(document(hostile()))
    assert len(written) < 3_000_000
    shown = looked.open(written)
    shown.locator(".trials tbody button").first.click()
    shown.get_by_label("Filter").first.fill("evil")
    assert shown.evaluate("window.hit") is None
    assert shown.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    assert shown.evaluate("document.documentElement.scrollHeight") < 60_000
    said = shown.locator("body").inner_text()
    assert "<script>window.hit = 1</script>" in said
    assert "{{ 7 * 7 }}" in said
    assert "1,000,0" in said, "that a text was cut is said, and how long it was"
    assert not set(said) & set("\u202e\u2066\0")


def test_a_hostile_fragment_is_inert(looked: Looked) -> None:
    parts = "".join(fragment(run) for run in hostile())
    shown = looked.open(f"<!doctype html><html data-ready><meta charset=utf-8><body><p id=host>host{parts}")
    assert shown.evaluate("window.hit") is None
    assert shown.locator("script").count() == 0


def test_a_fragment_keeps_its_style_to_itself(looked: Looked) -> None:
    host = "<p id=host>host <a href=#x>link</a><table id=own><tr><td>cell</table>"
    style = "id => JSON.stringify(Object.entries(getComputedStyle(document.getElementById(id))))"
    styles = f"['host', 'own'].map({style})"
    bare = looked.open(f"<!doctype html><html data-ready><body>{host}").evaluate(styles)
    shown = looked.open(f"<!doctype html><html data-ready><body>{host}{fragment(runs()['rule_finding'])}")
    assert shown.evaluate(styles) == bare
    assert shown.locator(".listing tbody tr").count() == min(50, runs()["rule_finding"]["trials"]["listed"])
    assert shown.locator(".condition").evaluate("one => getComputedStyle(one).borderLeftWidth") == "3px"


def test_values_look_the_same_whoever_writes_them(looked: Looked) -> None:
    """The first rows are written by Python, the others by the script."""
    odd: list[Any] = [0.0, -0.0, 1.0, 1e-5, 1.5e-7, 1e16, 1.25e22, 0.1, 123456.75, math.nan, math.inf, -math.inf]
    odd += [
        1,
        -3,
        2**53,
        2**64,
        -(2**80),
        True,
        False,
        "bare",
        "a b",
        "true",
        'quo"te',
        "é",
        "tab\t",
        "\u202e",
        "",
        "9",
    ]
    odd += [b"\x00\xff", [1, "a b"], {"k": [1]}, frozenset({3, 20}), object]
    floats, rest = odd[:12], odd[12:]
    trials = made(1)["runs"][0]["trials"] | {"listed": len(odd), "total": len(odd)}
    padded = lambda values: pack_column([*values, *[None] * (len(odd) - len(values))])  # noqa: E731
    trials["fields"] = {"floats": padded(floats), "rest": padded(rest)}
    trials["columns"] = {
        "verdict": pack_column(["PASS"] * len(odd)),
        "seconds": padded([1e-6, 2.5e-3, 0.9996, 99.96, 100, 12345]),
    }
    written = page(document([{**runs()["rule_finding"], "trials": trials}]))
    rows = "rows => rows.map(row => [...row.cells].map(cell => cell.textContent))"
    shown = looked.open(written)
    scripted = shown.locator(".listing tbody tr").evaluate_all(rows)
    static = looked.open(written.partition("<script type")[0].replace("<html", "<html data-ready"))
    assert static.locator(".listing tbody tr").evaluate_all(rows) == scripted


def test_the_data_can_be_taken_out_again(looked: Looked) -> None:
    written = page(everything())
    assert read_embedded(written) == json.loads(json.dumps(everything()))
    shown = looked.open(written)
    with shown.expect_download() as download:
        shown.get_by_role("button", name="Save the data").click()
    assert json.loads(download.value.path().read_text()) == read_embedded(written)


def test_several_runs_are_listed_first(looked: Looked) -> None:
    shown = looked.open(page(everything()))
    links = shown.get_by_role("navigation").first.get_by_role("link")
    assert links.count() == len(runs())
    links.nth(3).click()
    assert shown.locator("#run-4").evaluate("run => Math.abs(run.getBoundingClientRect().top)") < 60
    for section in shown.locator("section.run").all():
        assert section.get_by_text("How sure is that?").is_visible()
        assert section.locator("table, pre").count()
    identities = shown.evaluate("[...document.querySelectorAll('[id]')].map(one => one.id)")
    assert len(identities) == len(set(identities))
