// An interactive timeline: what it shows, and how pointer and keys move it.
class Timeline {
  constructor(root, passes) {
    this.root = root;
    this.passes = passes;
    this.canvas = root.querySelector("canvas");
    this.tip = root.querySelector(".tip");
    this.axis = d3.select(root.querySelector(".axis")).append("svg").attr("aria-hidden", "true")
      .append("g").attr("transform", "translate(0, 31)");
    this.zoom = d3.zoom().on("zoom", () => this.show()).filter((given) => {
      const event = d3.event || given;  // before and from D3 version 6
      if (event.type !== "wheel") return !event.button;
      return event.ctrlKey || event.metaKey || document.activeElement === this.canvas;
    });
    // Moving a finger up and down scrolls the page, as usual.
    this.selection = d3.select(this.canvas).call(this.zoom).style("touch-action", "pan-y");
    this.listen();
    this.choose();
    new ResizeObserver(() => this.choose()).observe(root);
  }

  listen() {
    this.root.addEventListener("change", () => this.choose());
    for (const button of this.root.querySelectorAll("button")) {
      button.addEventListener("click", () => this.act(button.dataset.do));
    }
    this.canvas.addEventListener("pointermove", (event) => this.point(this.at(event), event));
    this.canvas.addEventListener("pointerleave", () => this.point(this.chosen));
    this.canvas.addEventListener("click", (event) => this.select(this.at(event)));
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.show());
  }

  // Sets the rows and the end of the axis by the checked boxes.
  choose() {
    const boxes = [...this.root.querySelectorAll("[type=checkbox]:checked")];
    const names = new Set(boxes.map((box) => box.value));
    const passes = this.passes.filter((pass) => names.has(pass.variant));
    this.rows = rowsOf(passes, this.root.querySelector("[type=radio]:checked").value);
    this.height = placeRows(this.rows);
    this.width = this.canvas.clientWidth;
    this.end = d3.max(this.rows, (row) => d3.max(row.items || [], (item) => item.end)) || 1;
    const right = Math.max(this.width - margin, gutter + 1);
    this.whole = d3.scaleLinear().domain([0, this.end]).range([gutter, right]);
    const extent = [[gutter, 0], [right, this.height]];
    // At most down to 20 ns over the whole width.
    this.zoom.extent(extent).translateExtent(extent).scaleExtent([1, Math.max(1, this.end / 0.02)]);
    this.zoom.translateBy(this.selection, 0, 0);
    this.point(this.chosen);
    this.show();
  }

  show() {
    this.scale = d3.zoomTransform(this.canvas).rescaleX(this.whole);
    const [from, to] = this.scale.domain();
    const ticks = this.scale.ticks(Math.max(2, this.width / 110));
    this.axis.call(d3.axisTop(this.scale).tickValues(ticks).tickSizeOuter(0)
      .tickFormat((us) => `${this.scale.tickFormat(ticks.length)(us)} µs`));
    this.root.querySelector(".range").textContent = `${figure(from)} to ${figure(to)} µs`;
    const active = this.pointed;
    drawRows(this.canvas, { rows: this.rows, scale: this.scale, width: this.width, ticks,
      height: this.height, active,
      marked: (item) => item === active || item.chunk === active.chunk && item.chunk >= 0
        || item === active.issuer || active.issued?.includes(item) });
  }

  rowAt(y) {
    return this.rows.find((row) => row.items && y >= row.y && y < row.y + rowHeight);
  }

  // The item within two pixels of the pointer, so that thin ones can be hit.
  at(event) {
    const box = this.canvas.getBoundingClientRect();
    const [x, row] = [event.clientX - box.left, this.rowAt(event.clientY - box.top)];
    if (!row || x < gutter) return undefined;
    const item = row.items[firstEndingFrom(row, this.scale.invert(x - 2))];
    return item && this.scale(item.start) <= x + 2 ? item : undefined;
  }

  point(item, event) {
    if (item !== this.pointed) {
      this.pointed = item;
      this.show();
    }
    this.tip.hidden = !item;
    if (!item) return;
    this.tip.textContent = words(item).join("\n");
    const row = this.rows.find((found) => found.items?.includes(item));
    const box = this.canvas.getBoundingClientRect();
    const x = event ? event.clientX - box.left : this.scale(Math.max(item.start, 0));
    const left = Math.min(Math.max(x + 12, gutter), this.width - this.tip.offsetWidth - 4);
    this.tip.style.left = `${Math.max(0, left)}px`;
    this.tip.style.top = `${this.canvas.offsetTop + (row ? row.y : 0) + rowHeight + 6}px`;
  }

  select(item) {
    this.chosen = item;
    this.point(item);
    this.root.querySelector(".spoken").textContent = item ? words(item).join(", ") : "";
  }

  act(what) {
    const centre = this.chosen
      && [Math.min(Math.max(this.scale(this.chosen.start), gutter), this.width), 0];
    if (what === "in") this.zoom.scaleBy(this.selection, 1.5, centre);
    if (what === "out") this.zoom.scaleBy(this.selection, 1 / 1.5, centre);
    if (what === "left" || what === "right") this.move((what === "left" ? -1 : 1) / 5);
    if (what === "all") this.zoom.transform(this.selection, d3.zoomIdentity);
    if (what === "chunks") this.firstChunks();
  }

  // Moves by a share of the visible width.
  move(share) {
    const { k } = d3.zoomTransform(this.canvas);
    this.zoom.translateBy(this.selection, -share * (this.width - gutter) / k, 0);
  }

  // Zooms to when half of the shown variants have finished their first eight chunks.
  firstChunks() {
    const ends = [...new Set(this.rows.map((row) => row.pass))].map((pass) =>
      d3.max(pass.operations.filter((one) => one.chunk < 8), (one) => one.end)).filter(Boolean);
    const k = this.end / (1.05 * (d3.quantile(ends.sort(d3.ascending), 0.5) || this.end));
    this.zoom.transform(this.selection, d3.zoomIdentity.translate(gutter, 0).scale(Math.max(k, 1))
      .translate(-gutter, 0));
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const acts = { "+": "in", "=": "in", "-": "out", "0": "all", ArrowLeft: "left",
      ArrowRight: "right" };
    if (event.shiftKey && steps[event.key]) this.step(...steps[event.key]);
    else if (event.key === "Escape") this.select(undefined);
    else if (acts[event.key]) this.act(acts[event.key]);
    else return;
    event.preventDefault();
  }

  // Selects the next item of the row, or the nearest one in the next row.
  step(across, down) {
    const rows = this.rows.filter((row) => row.items);
    const place = rows.findIndex((row) => row.items.includes(this.chosen));
    const row = rows[Math.min(Math.max(place + down, 0), rows.length - 1)];
    if (!row) return;
    const next = place < 0 || down ? firstEndingFrom(row, this.chosen?.start ?? 0)
      : row.items.indexOf(this.chosen) + across;
    const item = row.items[Math.min(Math.max(next, 0), row.items.length - 1)];
    const [from, to] = this.scale.domain();
    if (item.start < from || item.start > to) {
      this.zoom.translateTo(this.selection, this.whole(item.start), 0);
    }
    this.select(item);
  }
}
