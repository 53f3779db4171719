// Draws rows of items on a canvas.
const rowHeight = 18, headingHeight = 26, gutter = 88, margin = 10;

// Gives each row its place and returns the total height.
function placeRows(rows) {
  let y = 0;
  for (const row of rows) {
    row.y = y;
    y += row.heading ? headingHeight : rowHeight;
  }
  return y + 4;
}

function coloursOf(element) {
  const style = getComputedStyle(element);
  return (name) => style.getPropertyValue(`--${name}`).trim();
}

// The fill of each kind of item. Copies are hatched, for readers without colour.
function fillsOf(context, colour) {
  const fills = {};
  for (const kind of ["call", "wait", "memset", "kernel"]) fills[kind] = colour(kind);
  fills["copy-in"] = hatch(context, colour("copy-in"), colour("edge"), 1);
  fills["copy-out"] = hatch(context, colour("copy-out"), colour("edge"), -1);
  // Items too thin for a hatch and an edge need a colour that differs from the ground.
  fills.thin = { ...fills, "copy-in": colour("copy-in"), "copy-out": colour("edge") };
  return fills;
}

function hatch(context, ground, line, direction) {
  const tile = document.createElement("canvas");
  tile.width = tile.height = 8;
  const pen = tile.getContext("2d");
  pen.fillStyle = ground;
  pen.fillRect(0, 0, 8, 8);
  pen.strokeStyle = line;
  for (const shift of [-8, 0, 8]) {
    pen.moveTo(shift, direction > 0 ? 8 : 0);
    pen.lineTo(shift + 8, direction > 0 ? 0 : 8);
  }
  pen.stroke();
  return context.createPattern(tile, "repeat");
}

// view: rows, scale (us to pixels), width, height, active (an item or undefined), marked (tells
// which items to emphasise).
function drawRows(canvas, view) {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(view.width * ratio);
  canvas.height = Math.round(view.height * ratio);
  canvas.style.height = `${view.height}px`;
  const context = canvas.getContext("2d");
  const colour = coloursOf(canvas);
  context.scale(ratio, ratio);
  context.clearRect(0, 0, view.width, view.height);
  context.textBaseline = "middle";
  drawGrid(context, view, colour);
  const pen = { context, view, colour, fills: fillsOf(context, colour) };
  for (const row of view.rows) row.heading ? drawHeading(pen, row) : drawRow(pen, row);
  if (view.active) drawIssue(pen);
}

function drawGrid(context, view, colour) {
  context.strokeStyle = colour("line");
  context.beginPath();
  for (const tick of view.ticks) {
    const x = Math.round(view.scale(tick)) + 0.5;
    context.moveTo(x, 0);
    context.lineTo(x, view.height);
  }
  context.stroke();
}

function drawHeading({ context, view, colour }, row) {
  context.fillStyle = colour("ground");
  context.fillRect(0, row.y, view.width, headingHeight);
  context.fillStyle = colour("text");
  context.font = "bold 13px system-ui, sans-serif";
  const left = row.pass.leftOut ? ` (its last ${row.pass.leftOut} operations are left out)` : "";
  context.fillText(`${row.pass.variant} · ${figure(row.pass.eventTime)} µs${left}`, 4,
    row.y + headingHeight / 2 + 3);
}

function drawRow(pen, row) {
  const { context, view, colour } = pen;
  context.font = "12px system-ui, sans-serif";
  context.fillStyle = colour("quiet");
  // Further rows of a track are below its first one, so "row 2" is enough.
  context.fillText(row.name.split(", ").pop(), 4, row.y + rowHeight / 2, gutter - 8);
  context.save();
  context.beginPath();
  context.rect(gutter, row.y, view.width - gutter, rowHeight);
  context.clip();
  const [from, to] = view.scale.domain();
  let drawn = -1;  // the last pixel drawn: many items may share one
  for (let index = firstEndingFrom(row, from); index < row.items.length; index++) {
    const item = row.items[index];
    if (item.start > to) break;
    const left = view.scale(item.start), right = Math.max(view.scale(item.end), left + 0.75);
    if (right < drawn + 0.4) continue;
    drawn = right;
    drawItem(pen, item, left, row.y + 2, right - left);
  }
  context.restore();
}

function drawItem({ context, view, colour, fills }, item, x, y, width) {
  const high = rowHeight - 4;
  context.globalAlpha = view.active && !view.marked(item) ? 0.3 : 1;
  context.fillStyle = (width > 3 ? fills : fills.thin)[item.fill];
  context.fillRect(x, y, width, high);
  if (width > 3) {
    context.lineWidth = item === view.active ? 3 : 1;
    context.strokeStyle = item === view.active ? colour("mark") : colour("edge");
    context.strokeRect(x + 0.5, y + 0.5, width - 1, high - 1);
    context.lineWidth = 1;
  }
  const words = item.chunk === undefined || item.fill === "call" ? "" : `${item.chunk}`;
  const room = 7 * words.length + 4;
  // Leave a tile of the hatch visible on either side.
  if (words && width > room + 16) {
    const middle = (Math.max(x, gutter) + Math.min(x + width, view.width)) / 2;
    context.fillStyle = colour("ground");
    context.fillRect(middle - room / 2, y + 1, room, high - 2);
    context.fillStyle = colour("text");
    context.font = "11px system-ui, sans-serif";
    context.textAlign = "center";
    context.fillText(words, middle, y + high / 2 + 0.5);
    context.textAlign = "start";
  }
  context.globalAlpha = 1;
}

// Lines between the active item's call and what that call issued.
function drawIssue({ context, view, colour }) {
  const call = view.active.issuer || view.active;
  const issued = view.active.issuer ? [view.active] : (call.issued || []).slice(0, 200);
  const rowOf = (item) => view.rows.find((row) => row.items?.includes(item));
  const from = rowOf(call);
  context.save();
  context.beginPath();
  context.rect(gutter, 0, view.width - gutter, view.height);
  context.clip();
  context.strokeStyle = colour("mark");
  context.beginPath();
  for (const operation of from ? issued : []) {
    const to = rowOf(operation);
    if (!to) continue;
    context.moveTo(view.scale((call.start + Math.min(call.end, operation.start)) / 2),
      from.y + rowHeight / 2);
    context.lineTo(view.scale(operation.start), to.y + rowHeight / 2);
  }
  context.stroke();
  context.restore();
}

function figure(us) {
  const digits = us >= 99.95 || us === 0 ? 0 : us >= 9.995 ? 1 : us >= 0.995 ? 2 : 3;
  return us.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
