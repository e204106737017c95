/* The table of trials: filtered, sorted and paged. Its state is part of the address of the page. */

const PAGE = 50, CELL = 120, WHOLE = 2000;
const choices = new Map();   // run id -> the filter, order and columns that the reader chose

class Trials {
  constructor(section, run) {
    this.section = section;
    this.id = run.id;
    this.run = run;
    this.table = section.querySelector("table.listing");
    this.columns = JSON.parse(this.table.dataset.columns).map(column => this.column(column));
    this.verdicts = this.columns.find(column => column.name === "verdict");
    this.count = run.trials.listed;
    this.chosen = choices.get(run.id) ?? { filter: "", verdict: "", sort: "", down: false, page: 0, open: new Set(), columns: null };
    choices.set(run.id, this.chosen);
    this.build();
    this.update();
  }

  /* Return a column with the text of each distinct value. */
  column({ kind, name, label, shown, float }) {
    const trials = this.run.trials;
    const { values, index } = kind === "field" ? trials.fields[name] : kind === "kept" ? trials.kept : trials.columns[name];
    const write = kind !== "column" ? value => text(value, float) : name === "seconds" ? duration : value => visible(String(value));
    const texts = values.map(write);
    const numeric = values.length > 0 && values.every(value => typeof value === "number");
    return { key: kind === "field" ? `field:${name}` : name, kind, name, label, shown, index, texts, numeric, low: texts.map(one => one.toLowerCase()) };
  }

  build() {
    const { section, chosen } = this;
    section.querySelectorAll(".tools, .pages").forEach(old => old.remove());
    this.filter = make("input", { type: "search", placeholder: "text in any column", value: chosen.filter, spellcheck: false });
    this.filter.setAttribute("aria-keyshortcuts", "/");
    this.verdict = make("select", {}, make("option", { value: "", textContent: "all" }), ...this.verdicts.texts.map(name => make("option", { value: name, textContent: name })));
    this.verdict.value = chosen.verdict;
    this.said = make("span", { className: "count", role: "status" });
    const boxes = this.columns.map(column => {
      const box = make("input", { type: "checkbox", checked: this.isShown(column) });
      box.addEventListener("change", () => { chosen.columns = this.columns.filter((_, i) => boxes[i].checked).map(one => one.key); this.update(); });
      return box;
    });
    const chooser = make("details", {}, make("summary", { textContent: "Columns" }), make("div", { className: "chooser" }, ...boxes.map((box, i) => make("label", {}, box, this.columns[i].label))));
    const tools = make("div", { className: "tools", role: "search" }, make("label", { className: "filter" }, "Filter ", this.filter), make("label", {}, "Verdict ", this.verdict), chooser, this.said);
    tools.setAttribute("aria-label", "Trials");
    (this.table.closest(".scroll") ?? this.table).before(tools);
    this.filter.addEventListener("input", () => this.choose({ filter: this.filter.value, page: 0 }));
    this.verdict.addEventListener("change", () => this.choose({ verdict: this.verdict.value, page: 0 }));
    this.pages = make("nav", { className: "pages" });
    this.pages.setAttribute("aria-label", "Pages of trials");
    (this.table.closest(".scroll") ?? this.table).after(this.pages);
  }

  isShown(column) { return this.chosen.columns ? this.chosen.columns.includes(column.key) : column.shown; }

  choose(changes) {
    Object.assign(this.chosen, changes);
    this.update();
    this.note();
  }

  /* Return the numbers of the trials to list, in order. */
  listed() {
    const { chosen, columns } = this;
    const sought = chosen.filter.trim().toLowerCase();
    const hits = sought && columns.map(column => column.low.map(value => value.includes(sought)));
    const wanted = chosen.verdict === "" ? null : this.verdicts.texts.indexOf(chosen.verdict);
    const found = [];
    for (let i = 0; i < this.count; i++) {
      if (wanted !== null && this.verdicts.index[i] !== wanted) continue;
      if (!sought || columns.some((column, c) => hits[c][column.index[i]]) || String(i + 1) === sought) found.push(i);
    }
    const sorted = columns.find(column => column.key === chosen.sort);
    if (sorted || chosen.sort === "trial") {
      const sign = chosen.down ? -1 : 1, rank = sorted ? i => sorted.index[i] : i => i;
      found.sort((a, b) => (rank(a) < 0) - (rank(b) < 0) || sign * (rank(a) - rank(b)) || a - b);
    }
    return found;
  }

  update() {
    this.order = this.listed();
    const last = Math.max(0, Math.ceil(this.order.length / PAGE) - 1);
    this.chosen.page = Math.min(Math.max(0, this.chosen.page), last);
    const columns = this.columns.filter(column => this.isShown(column));
    const start = this.chosen.page * PAGE;
    const rows = this.order.slice(start, start + PAGE).flatMap(i => this.row(i, columns));
    this.head(columns);
    this.table.tBodies[0].replaceChildren(...rows);
    const sorted = [{ key: "trial", label: "number" }, ...this.columns].find(column => column.key === this.chosen.sort);
    this.table.caption.textContent = sorted ? `Sorted by ${sorted.label}, ${this.chosen.down ? "largest" : "smallest"} first` : "In the order in which they finished";
    const all = counted(this.run.trials.total, "trial");
    this.said.textContent = this.order.length === this.run.trials.total ? all : `${this.order.length.toLocaleString("en")} of ${all}`;
    this.paging(last);
    reachable(this.section);
  }

  head(columns) {
    const focused = this.table.tHead.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    const cells = [{ key: "trial", label: "trial" }, ...columns].map(({ key, label, numeric }) => {
      const button = make("button", { type: "button", textContent: label });
      button.dataset.key = key;
      button.addEventListener("click", () => this.sort(key));
      const cell = make("th", { scope: "col", className: numeric ? "number" : "" }, button);
      if (this.chosen.sort === key) cell.setAttribute("aria-sort", this.chosen.down ? "descending" : "ascending");
      return cell;
    });
    this.table.tHead.replaceChildren(make("tr", {}, ...cells));
    if (focused) this.table.tHead.querySelectorAll("button").forEach(button => button.dataset.key === focused && button.focus());
  }

  /* Sort ascending, then descending, then in the order in which the trials finished. */
  sort(key) {
    const { sort, down } = this.chosen;
    this.choose(sort !== key ? { sort: key, down: false, page: 0 } : down ? { sort: "", down: false, page: 0 } : { down: true, page: 0 });
  }

  row(i, columns) {
    const open = this.chosen.open.has(i), id = `${this.id}-trial-${i + 1}`;
    const button = make("button", { type: "button", textContent: i + 1 });
    button.setAttribute("aria-expanded", open);
    button.setAttribute("aria-label", `Trial ${i + 1}: details`);
    button.addEventListener("click", () => this.toggle(i));
    const row = make("tr", { id, className: this.target === i ? "target" : "" }, make("th", { scope: "row" }, button), ...columns.map(column => this.cell(column, i, CELL)));
    return open ? [row, make("tr", { className: "whole" }, make("td", { colSpan: columns.length + 1 }, this.whole(i)))] : [row];
  }

  cell(column, i, limit, tag = "td") {
    const place = column.index[i], value = place < 0 ? "" : cut(column.texts[place], limit);
    const kind = column.name === "verdict" && column.kind === "column" ? ["span", `verdict ${value.toUpperCase()}`] : column.kind === "field" ? ["code", ""] : ["bdi", ""];
    return make(tag, { className: column.numeric && tag === "td" ? "number" : "" }, ...(value === "" ? [] : [make(kind[0], { className: kind[1], textContent: value })]));
  }

  /* Return all values of one trial. */
  whole(i) {
    const kept = this.run.trials.kept?.index[i] >= 0; // a selection has no fields
    const fixed = kept ? [] : Object.entries(this.run.trials.fixed ?? {});
    return make("dl", {}, ...this.columns.filter(column => column.index[i] >= 0).map(column =>
      make("div", {}, make("dt", { textContent: column.label }), this.cell(column, i, WHOLE, "dd"))
    ), ...fixed.map(([name, value]) =>
      make("div", {}, make("dt", { textContent: visible(cut(name, CELL)) }), make("dd", {}, make("code", { textContent: cut(text(value), WHOLE) })))
    ));
  }

  toggle(i) {
    if (!this.chosen.open.delete(i)) { this.chosen.open.add(i); this.target = i; } else if (this.target === i) this.target = null;
    this.update();
    this.note();
    this.section.querySelector(`#${this.id}-trial-${i + 1} button`).focus();
  }

  paging(last) {
    const { page } = this.chosen;
    const focused = this.pages.contains(document.activeElement) ? document.activeElement.textContent : null;
    const to = (label, target) => {
      const button = make("button", { type: "button", textContent: label, disabled: target < 0 || target > last || target === page });
      button.addEventListener("click", () => this.choose({ page: target }));
      return button;
    };
    this.pages.replaceChildren(to("First", 0), to("Previous", page - 1), make("span", { textContent: `Page ${page + 1} of ${last + 1}` }), to("Next", page + 1), to("Last", last));
    this.pages.hidden = last === 0;
    if (focused) [...this.pages.children].find(one => one.textContent === focused && !one.disabled)?.focus();
  }

  /* Write the state of the table into the address, so that it can be mailed. */
  note() {
    const { filter, verdict, sort, down, page } = this.chosen, query = new URLSearchParams();
    for (const [name, value] of Object.entries({ filter, verdict, sort, order: sort && down ? "down" : "", page: page ? page + 1 : "" })) if (value) query.set(name, value);
    const trial = this.target == null ? "" : `-trial-${this.target + 1}`;
    history.replaceState(null, "", `#${this.id}${trial}${query.size ? `?${query}` : ""}`);
  }

  /* The inverse of note: show the state that an address describes. */
  follow(trial, query) {
    const { chosen } = this;
    Object.assign(chosen, { filter: query.get("filter") ?? "", verdict: query.get("verdict") ?? "", sort: query.get("sort") ?? "", down: query.get("order") === "down", page: Number(query.get("page") ?? 1) - 1 || 0 });
    if (!this.verdicts.texts.includes(chosen.verdict)) chosen.verdict = "";
    this.filter.value = chosen.filter;
    this.verdict.value = chosen.verdict;
    this.target = trial === null ? null : trial - 1;
    if (trial !== null) {
      let place = this.listed().indexOf(this.target);
      if (place < 0) { Object.assign(chosen, { filter: "", verdict: "" }); this.filter.value = this.verdict.value = ""; place = this.listed().indexOf(this.target); }
      chosen.page = Math.floor(Math.max(0, place) / PAGE);
      chosen.open.add(this.target);
    }
    this.update();
    const row = trial === null ? null : document.getElementById(`${this.id}-trial-${trial}`);
    const place = row ?? (query.size ? this.section : document.getElementById(this.id));
    place?.scrollIntoView({ block: row ? "center" : "start" });
    row?.querySelector("button").focus({ preventScroll: true });
  }
}

const shown = new Map();   // run id -> its Trials

function follow() {
  const [, id, trial, query] = /^#(.+?)(?:-trial-(\d+))?(?:\?(.*))?$/.exec(location.hash) ?? [];
  if (trial || query) shown.get(id)?.follow(trial ? Number(trial) : null, new URLSearchParams(query ?? ""));
}
