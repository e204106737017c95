/* Keeps a page up to date. The server says that something has changed; the page fetches its parts and puts those that
   did change in the place of the old ones. Nothing else is touched: not the focus, not what is open, not the scrolling. */

"use strict";

(() => {

const live = document.getElementById("live"), lost = document.getElementById("lost");
const sent = new Map();   // part -> what the server said last
const asking = new Map();   // address of parts -> whether they have changed again since they were asked for
let stream = null;

const parts = root => root.querySelectorAll("[data-part]");

/* Whether the reader is at something that would be lost: typing, selecting, looking closer. */
function busy(part) {
  const active = document.activeElement, selection = getSelection();
  return part.contains(active) && !active.id
    || !selection.isCollapsed && part.contains(selection.anchorNode)
    || part.querySelector(".zoomed") !== null;
}

function say(text) {
  lost.hidden = !text;
  if (lost.textContent !== text) lost.textContent = text;
}

/* Moments are written in the reader's own time zone. */
function localise(root) {
  for (const time of root.querySelectorAll("time")) {
    const moment = new Date(time.dateTime);
    const form = time.classList.contains("clock") ? { timeStyle: "medium" } : { dateStyle: "medium", timeStyle: "short" };
    if (!isNaN(moment)) time.textContent = moment.toLocaleString([], form);
  }
}

function swap(part, fresh) {
  const focused = part.contains(document.activeElement) ? document.activeElement.id : "";
  const open = [...part.querySelectorAll("details")].map(one => one.open);
  const scrolled = [...part.querySelectorAll(".scroll")].map(one => one.scrollLeft);
  part.replaceChildren(...fresh.childNodes);
  localise(part);
  globalThis.rootward?.enhance(part);
  part.querySelectorAll("details").forEach((one, i) => { one.open = open[i] ?? one.open; });
  part.querySelectorAll(".scroll").forEach((one, i) => { one.scrollLeft = scrolled[i] ?? 0; });
  if (focused) (document.getElementById(focused) ?? part.closest("[tabindex]"))?.focus({ preventScroll: true });
}

function show(text) {
  const fresh = document.createElement("template");
  fresh.innerHTML = text;
  for (const one of parts(fresh.content)) {
    const part = live.querySelector(`[data-part="${one.dataset.part}"]`), html = one.innerHTML;
    if (one.dataset.title) document.title = one.dataset.title;
    if (!part || sent.get(one.dataset.part) === html || busy(part)) continue;
    sent.set(one.dataset.part, html);
    swap(part, one);
  }
  const panel = live.querySelector(".panel"), next = fresh.content.querySelector(".panel");
  if (panel && next) panel.className = next.className;
}

/* One question at a time for each address; what changes meanwhile is asked for afterwards. */
async function fetchParts(address) {
  const running = asking.has(address);
  asking.set(address, true);
  if (running) return;
  while (asking.get(address)) {
    asking.set(address, false);
    try {
      const answer = await fetch(address);
      if (answer.ok) { show(await answer.text()); say(""); }
      else say(answer.status === 401 ? "The server wants a new token: open the address that it printed." : `The server says: ${answer.status} ${answer.statusText}`);
    } catch { say("The connection is lost. Trying again ..."); }
  }
  asking.delete(address);
}

function refresh() {
  live.dataset.parts.split(" ").forEach(fetchParts);
}

function connect() {
  stream?.close();
  stream = new EventSource(live.dataset.events);
  stream.onmessage = refresh;
  stream.onerror = () => {
    if (lost.hidden) say("The connection is lost. Trying again ...");
    if (stream.readyState === EventSource.CLOSED) setTimeout(connect, 2000);
  };
}

parts(live).forEach(part => sent.set(part.dataset.part, part.innerHTML));
localise(live);
connect();

/* A page that nobody sees needs no connection, of which a browser has only six for one server. */
document.addEventListener("visibilitychange", () => document.hidden ? stream.close() : connect());
live.addEventListener("focusout", refresh);
live.addEventListener("submit", async event => {
  event.preventDefault();
  const button = event.target.querySelector("button");
  button.disabled = true;
  try {
    const answer = await fetch(event.target.action, { method: "POST", redirect: "manual" });
    if (answer.type !== "opaqueredirect" && !answer.ok) say(`It was not stopped: ${answer.status} ${await answer.text()}`);
  } catch { say("The connection is lost: it was not asked to stop."); }
  button.disabled = false;
  refresh();
});

})();
