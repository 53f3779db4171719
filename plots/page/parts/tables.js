// Sorting of tables, copying of commands, and links to what is closed.

// The value by which a cell is sorted: a number, a text, or undefined if it is empty.
function valueOf(cell) {
  const words = cell.textContent.trim();
  const number = Number(cell.dataset.value ?? words.replaceAll(",", "").replace("−", "-")
    .replace(/%$/, ""));
  return words === "" ? undefined : Number.isNaN(number) ? words : number;
}

// Numbers before texts, and what is empty last, whichever the direction.
function compare(one, other, direction) {
  const [a, b] = [one, other].map(valueOf);
  if (a === undefined || b === undefined) return (a === undefined) - (b === undefined);
  if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
  return direction * (typeof a === "number" ? a - b : a.localeCompare(b, "en", { numeric: true }));
}

// Sorts each part of the table on its own, because parts are what should not be mixed.
function sortBy(heading, direction) {
  const table = heading.closest("table");
  const column = [...heading.parentNode.children].indexOf(heading);
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  if (direction) heading.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
  for (const body of table.tBodies) {
    const rows = [...body.rows].filter((row) => !row.classList.contains("group"));
    rows.sort((one, other) => direction
      ? compare(one.cells[column], other.cells[column], direction)
      : one.dataset.place - other.dataset.place);
    body.append(...rows);
  }
}

// Headings become buttons: first up, then down, then as it was.
function makeSortable(table) {
  [...table.rows].forEach((row, place) => { row.dataset.place = place; });
  for (const heading of table.tHead.rows[0].cells) {
    if (!heading.textContent) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...heading.childNodes);
    heading.append(button);
    const next = { ascending: -1, descending: 0 };
    button.addEventListener("click", () => sortBy(heading,
      next[heading.getAttribute("aria-sort")] ?? 1));
  }
}

// Selects the command where the browser does not let a page copy.
async function copy(code, button) {
  const say = (words) => { document.getElementById("said").textContent = words; };
  try {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = "Copied";
    say("Copied");
  } catch {
    getSelection().selectAllChildren(code);
    button.textContent = "Selected";
    say("Selected, to be copied with the keyboard");
  }
  setTimeout(() => { button.textContent = "Copy"; }, 2000);
}

function addCopyButton(command) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", () => copy(command.querySelector("code"), button));
  command.append(button);
}

function openTarget() {
  const target = location.hash && document.getElementById(decodeURIComponent(
    location.hash.slice(1)));
  for (let part = target?.closest?.("details"); part; part = part.parentNode.closest("details")) {
    part.open = true;
  }
  target?.scrollIntoView?.();
}

document.querySelectorAll("table:has(thead):not(.matrix)").forEach(makeSortable);
document.querySelectorAll(".command").forEach(addCopyButton);
addEventListener("hashchange", openTarget);
openTarget();
