/* Zoom for drawings, and tooltips for their marks. */

class Zoom {
  constructor(svg) {
    this.svg = svg;
    this.full = svg.getAttribute("viewBox").trim().split(/[\s,]+/).map(Number);
    this.box = [...this.full];
    this.view = make("div", { className: "view", tabIndex: 0, role: "group" });
    this.view.setAttribute("aria-label", `Drawing: + and - zoom, 0 shows all, arrows move${svg.querySelector("[data-tip]") ? " or step from mark to mark" : ""}`);
    svg.replaceWith(this.view);
    const button = (label, name, act) => { const one = make("button", { type: "button", textContent: label, title: name }); one.setAttribute("aria-label", name); one.addEventListener("click", act); return one; };
    this.view.append(svg, make("div", { className: "zoom" }, button("+", "Zoom in", () => this.by(1.5)), button("−", "Zoom out", () => this.by(1 / 1.5)), button("⤢", "Show all", () => this.set(this.full))));
    this.view.addEventListener("keydown", event => this.key(event));
    svg.addEventListener("wheel", event => this.wheel(event), { passive: false });
    svg.addEventListener("pointerdown", event => this.drag(event));
  }

  get zoomed() { return this.box[2] < this.full[2] * 0.999; }

  set([x, y, width, height]) {
    const [left, top, wide, high] = this.full;
    this.box = [Math.min(Math.max(x, left), left + wide - width), Math.min(Math.max(y, top), top + high - height), width, height];
    this.svg.setAttribute("viewBox", this.box.join(" "));
    this.view.classList.toggle("zoomed", this.zoomed);
  }

  /* Zoom around a fixed point, given as shares of the drawing. */
  by(factor, across = 0.5, down = 0.5) {
    const [x, y, width, height] = this.box;
    const scale = Math.min(1, Math.max(1 / 40, (width / factor) / this.full[2]));
    const wide = this.full[2] * scale, high = this.full[3] * scale;
    this.set([x + (width - wide) * across, y + (height - high) * down, wide, high]);
  }

  move(across, down) { this.set([this.box[0] + across * this.box[2], this.box[1] + down * this.box[3], this.box[2], this.box[3]]); }

  wheel(event) {
    const active = event.ctrlKey || event.metaKey || this.view.contains(document.activeElement);
    if (!active) return;   // scrolling the page past a drawing must not zoom it
    event.preventDefault();
    const frame = this.svg.getBoundingClientRect();
    this.by(1.0015 ** -event.deltaY, (event.clientX - frame.left) / frame.width, (event.clientY - frame.top) / frame.height);
  }

  drag(start) {
    if (!this.zoomed || start.button) return;
    const frame = this.svg.getBoundingClientRect(), [x, y, width, height] = this.box;
    const move = event => this.set([x - (event.clientX - start.clientX) / frame.width * width, y - (event.clientY - start.clientY) / frame.height * height, width, height]);
    const end = () => { this.svg.removeEventListener("pointermove", move); };
    this.svg.setPointerCapture(start.pointerId);
    this.svg.addEventListener("pointermove", move);
    this.svg.addEventListener("pointerup", end, { once: true });
    this.svg.addEventListener("pointercancel", end, { once: true });
  }

  key(event) {
    if (event.target !== this.view || event.ctrlKey || event.metaKey || event.altKey) return;
    const moves = { ArrowLeft: [-0.2, 0], ArrowRight: [0.2, 0], ArrowUp: [0, -0.2], ArrowDown: [0, 0.2] };
    if (event.key === "+" || event.key === "=") this.by(1.5);
    else if (event.key === "-") this.by(1 / 1.5);
    else if (event.key === "0") this.set(this.full);
    else if (moves[event.key] && this.zoomed) this.move(...moves[event.key]);
    else if (moves[event.key] && this.step(event.key === "ArrowRight" || event.key === "ArrowDown" ? 1 : -1)) { /* it stepped */ }
    else return;
    event.preventDefault();
  }

  step(by) {
    const marks = [...this.svg.querySelectorAll("[data-tip]")];
    if (!marks.length) return false;
    const now = marks.findIndex(mark => mark.classList.contains("marked"));
    marks[now]?.classList.remove("marked");
    const next = marks[(now + by + marks.length) % marks.length] ?? marks[0];
    next.classList.add("marked");
    tip.show(next);
    return true;
  }
}

const tip = {
  box: null,
  show(mark) {
    this.box ??= make("div", { className: "tip", role: "tooltip", hidden: true });
    (mark.closest(".rootward") ?? document.body).append(this.box);
    this.box.textContent = cut(mark.dataset.tip, WHOLE);
    this.box.hidden = false;
    const target = mark.getBoundingClientRect(), own = this.box.getBoundingClientRect();
    const left = Math.min(Math.max(4, target.left + target.width / 2 - own.width / 2), innerWidth - own.width - 4);
    const above = target.top - own.height - 8;
    Object.assign(this.box.style, { left: `${left}px`, top: `${above > 4 ? above : Math.min(target.bottom + 8, innerHeight - own.height - 4)}px` });
  },
  hide() { if (this.box) this.box.hidden = true; },
};

/* Turn titles into our own tooltips: browsers show titles late, and phones not at all. */
function named(root) {
  for (const title of root.querySelectorAll("figure svg * > title, .rw-figure * > title")) {
    title.parentNode.dataset.tip = title.textContent;
    title.remove();
  }
  for (const mark of root.querySelectorAll(".strip [title]")) {
    mark.dataset.tip = mark.title;
    mark.removeAttribute("title");
  }
}
