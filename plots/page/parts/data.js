// Unpacks what packing.py packed: an item per call and operation, times in microseconds.
async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const data = JSON.parse(await new Response(stream).text());
  return data.passes.map((pass) => {
    const calls = items(pass.calls, data.names);
    const operations = items(pass.operations, data.names);
    calls.forEach((call, index) => {
      call.fill = pass.calls.waits[index] ? "wait" : "call";
      call.issued = [];
    });
    operations.forEach((operation, index) => {
      operation.activity = data.names[pass.operations.activity[index]];
      operation.fill = operation.activity.replace(" ", "-");
      operation.engineRow = data.names[pass.operations.engine[index]];
      operation.laneRow = data.names[pass.operations.lane_row[index]];
      operation.issuer = calls[operation.call];
      if (operation.issuer) operation.issuer.issued.push(operation);
    });
    return { variant: pass.variant, eventTime: pass.event_us, leftOut: pass.left_out, calls,
      operations, rows: pass.rows.map((row) => data.names[row]) };
  });
}

// Turns columns into items; -1 becomes undefined.
function items(columns, names) {
  let start = 0;
  return columns.start.map((difference, index) => {
    start += difference;
    const item = { start: start / 1000, end: (start + columns.duration[index]) / 1000,
      name: names[columns.name[index]], row: names[columns.row?.[index]] };
    for (const key of ["chunk", "lane", "stream", "node", "bytes", "call"]) {
      const value = columns[key]?.[index] ?? -1;
      if (value >= 0) item[key] = value;
    }
    return item;
  });
}

// The rows to draw from the top down: for each pass a heading, then its rows of items.
function rowsOf(passes, view) {
  const rows = [];
  for (const pass of passes) {
    rows.push({ heading: true, pass });
    const kinds = [[pass.calls, "row"]];
    if (view !== "lanes") kinds.push([pass.operations, "engineRow"]);
    if (view !== "engines") kinds.push([pass.operations, "laneRow"]);
    for (const [all, key] of kinds) {
      for (const name of pass.rows) {
        const mine = all.filter((item) => item[key] === name);
        if (mine.length) rows.push({ name, pass, items: mine });
      }
    }
  }
  return rows;
}

// The index of the first item of a row that ends at `time` or later. Items of a row do not overlap.
function firstEndingFrom(row, time) {
  return d3.bisector((item) => item.end).left(row.items, time);
}

// Everything known about a call or an operation, as lines.
function words(item) {
  const lines = [item.activity && item.activity !== item.name ? `${item.activity}: ${item.name}`
    : item.name];
  const add = (what, value) => { if (value !== undefined) lines.push(`${what} ${value}`); };
  add("chunk", item.chunk);
  add("lane", item.lane);
  add("stream", item.stream);
  add("graph node", item.node);
  lines.push(`starts at ${figure(item.start)} µs`, `takes ${figure(item.end - item.start)} µs`);
  if (item.bytes !== undefined) {
    const rate = item.bytes / (item.end - item.start) / 1e3;
    lines.push(`${item.bytes.toLocaleString("en")} bytes, ${rate.toPrecision(3)} GB/s`);
  }
  if (item.issuer) lines.push(`issued by ${item.issuer.name} at ${figure(item.issuer.start)} µs`);
  if (item.issued?.length) lines.push(`issued ${item.issued.length} operations`);
  return lines;
}
