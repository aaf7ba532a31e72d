import { make } from "../common/dom";

const MANY = 8;
/** Tables with more rows can be searched. */
const NONE = Number.NEGATIVE_INFINITY;

/** Let the headings of a table sort its rows, and a field find some of many. */
export function enhance(table: HTMLTableElement): void {
  [...table.tHead!.rows[0]!.cells].forEach((heading, column) => makeSortable(table, heading, column));
  if (table.tBodies[0]!.rows.length > MANY) addSearch(table);
}

function makeSortable(table: HTMLTableElement, heading: HTMLTableCellElement, column: number): void {
  const button = make("button", heading.textContent ?? "");
  button.type = "button";
  heading.replaceChildren(button);
  button.addEventListener("click", () => {
    const is_number = heading.classList.contains("r");
    const first = is_number ? "descending" : "ascending";
    const now = heading.getAttribute("aria-sort");
    const order = now === first ? (is_number ? "ascending" : "descending") : first;
    for (const each of table.tHead!.rows[0]!.cells) each.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", order);
    sort(table, column, is_number, order === "ascending" ? 1 : -1);
  });
}

/** Sort the rows; those without a value come last. */
function sort(table: HTMLTableElement, column: number, is_number: boolean, sign: number): void {
  const body = table.tBodies[0]!;
  const text = (row: HTMLTableRowElement): string => row.cells[column]!.textContent ?? "";
  const compare = (a: string, b: string): number => {
    if (!a || !b) return Number(!a) - Number(!b);
    return sign * (is_number ? valueOf(a) - valueOf(b) : a.localeCompare(b, "en", { numeric: true }));
  };
  body.append(...[...body.rows].sort((a, b) => compare(text(a), text(b))));
}

/** The number with which a cell begins: `1,234`, `<0.001`, `-0.1 to +0.3`. */
function valueOf(text: string): number {
  const value = Number.parseFloat(text.replace(/[,<>~]/g, ""));
  return Number.isNaN(value) ? NONE : value;
}

function addSearch(table: HTMLTableElement): void {
  const label = make("label", "Find ");
  label.className = "find";
  const field = make("input");
  field.type = "search";
  field.setAttribute("aria-label", `Find in the table: ${table.caption?.textContent ?? ""}`);
  const count = make("span");
  count.setAttribute("role", "status");
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const rows = [...table.tBodies[0]!.rows];
    for (const row of rows) row.hidden = !words.every((word) => row.textContent!.toLowerCase().includes(word));
    count.textContent = words.length ? `${rows.filter((row) => !row.hidden).length} of ${rows.length}` : "";
  });
  label.append(field, " ", count);
  table.parentElement!.before(label);
}
