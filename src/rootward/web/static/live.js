/* Keeps a page up to date. When the server reports a change, the page fetches its parts and replaces those that changed.
   Nothing else is touched: not the focus, not open details, not the scroll position. */

"use strict";

(() => {

const live = document.getElementById("live"), lost = document.getElementById("lost");
const sent = new Map();   // part -> its last HTML from the server
const asking = new Map();   // address of parts -> true if they have changed since they were requested
let stream = null;

const parts = root => root.querySelectorAll("[data-part]");

/* True if a replacement would disturb the reader, who is typing, selecting text or zooming in. */
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

/* Write times in the reader's own time zone. */
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

/* One request at a time for each address; after a change in the meantime, fetch again. */
async function fetchParts(address) {
  const running = asking.has(address);
  asking.set(address, true);
  if (running) return;
  while (asking.get(address)) {
    asking.set(address, false);
    try {
      const answer = await fetch(address);
      if (answer.ok) { show(await answer.text()); say(""); }
      else say(answer.status === 401 ? "This page needs a new token: open the address that `rootward serve` printed." : `The server answered with an error: ${answer.status} ${answer.statusText}`);
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

/* A hidden page needs no connection; a browser allows only six per server. */
document.addEventListener("visibilitychange", () => document.hidden ? stream.close() : connect());
live.addEventListener("focusout", refresh);
live.addEventListener("submit", async event => {
  event.preventDefault();
  const button = event.target.querySelector("button");
  button.disabled = true;
  try {
    const answer = await fetch(event.target.action, { method: "POST", redirect: "manual" });
    if (answer.type !== "opaqueredirect" && !answer.ok) say(`The run was not stopped: ${answer.status} ${await answer.text()}`);
  } catch { say("The connection is lost: the run was not asked to stop."); }
  button.disabled = false;
  refresh();
});

})();
