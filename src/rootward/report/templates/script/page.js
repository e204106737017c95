/* The interactive parts of a report. A page can be read without them.

   `rootward.enhance(root)` may be called again for content that was added later; what the reader chose for the trials of
   a run is kept. Text from the document only ever becomes text, never markup. */

async function unpacked(block) {
  const packed = atob(block.textContent.trim()), bytes = new Uint8Array(packed.length);
  for (let i = 0; i < packed.length; i++) bytes[i] = packed.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return await new Response(stream).text();
}

function offer(written, after) {
  const button = make("button", { type: "button", textContent: "Save the data (JSON)" });
  button.addEventListener("click", () => {
    const link = make("a", { href: URL.createObjectURL(new Blob([written], { type: "application/json" })), download: "rootward.json" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
  after.append(button);
}

function copies(root) {
  for (const block of root.querySelectorAll(".copyable:not(:has(button))")) {
    const button = make("button", { type: "button", textContent: "Copy" });
    button.addEventListener("click", async () => {
      const code = block.querySelector("code");
      try { await navigator.clipboard.writeText(code.textContent); button.textContent = "Copied"; }
      catch { getSelection().selectAllChildren(code); button.textContent = "Selected"; }
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
    block.append(button);
  }
}

/* Let wide tables scroll in a box of their own, which the keyboard can reach. */
function reachable(root) {
  for (const table of root.querySelectorAll("table")) if (!table.closest(".scroll, .wide")) {
    const box = make("div", { className: "scroll" });
    table.replaceWith(box);
    box.append(table);
  }
  for (const box of root.querySelectorAll(".scroll, pre.tree")) {
    const wide = box.scrollWidth > box.clientWidth + 1;
    for (const [name, value] of Object.entries({ tabindex: "0", role: "region", "aria-label": "Wide: scroll sideways" })) {
      if (wide) box.setAttribute(name, value); else box.removeAttribute(name);
    }
  }
}

async function trials(root) {
  for (const block of root.querySelectorAll("script.rootward-document")) {
    const written = await unpacked(block), foot = document.querySelector(".page-foot");
    for (const run of JSON.parse(written).runs) {
      const section = document.getElementById(run.id)?.querySelector(".trials");
      if (section && run.trials) shown.set(run.id, new Trials(section, run));
    }
    if (foot && !foot.querySelector("button")) offer(written, foot);
  }
}

async function enhance(root = document.body) {
  named(root);
  root.querySelectorAll("figure svg:is(.zoomable, .rw-figure)").forEach(svg => svg.closest(".view") ?? new Zoom(svg));
  copies(root);
  reachable(root);
  await trials(root);
}

function listen() {
  const mark = event => event.target.closest?.("[data-tip]");
  document.addEventListener("pointerover", event => mark(event) ? tip.show(mark(event)) : tip.hide());
  document.addEventListener("focusin", event => mark(event) ? tip.show(mark(event)) : tip.hide());
  document.addEventListener("scroll", () => tip.hide(), { passive: true });
  document.addEventListener("keydown", event => {
    if (event.key === "Escape") tip.hide();
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
    const fields = [...document.querySelectorAll(".trials input[type=search]")];
    const field = fields.find(one => one.closest(".run")?.getBoundingClientRect().bottom > innerHeight / 2) ?? fields[0];
    if (field) { event.preventDefault(); field.focus(); }
  });
  addEventListener("resize", () => reachable(document.body));
  document.addEventListener("toggle", event => reachable(event.target), true); // what was folded had no width
  addEventListener("hashchange", follow);
  addEventListener("beforeprint", () => document.querySelectorAll(".run details:not([open])").forEach(one => { one.open = true; one.dataset.printed = ""; }));
  addEventListener("afterprint", () => document.querySelectorAll("details[data-printed]").forEach(one => { one.open = false; delete one.dataset.printed; }));
}

listen();
enhance().then(() => { follow(); document.documentElement.dataset.ready = ""; });
globalThis.rootward = { enhance };
