import { FONT, INK, PAPER, shorter, SOFT, tone } from "./looks";
import type { Bracket, BracketBot, BracketTable } from "./specs";

const LINE = 24;
/** The height of a bot in pixels. */
const GAP = 18;
const HEAD = 30;
const JOIN = 36;
/** The room between two rounds, where lines lead on. */
const SPACE = "http://www.w3.org/2000/svg";

interface Box {
  table: BracketTable;
  y: number;
}

function shape(name: string, attributes: Record<string, string | number>, content = ""): SVGElement {
  const element = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.textContent = content;
  return element;
}

/** The rounds of a knockout from left to right; lines lead from the bots that advance to their next table. */
export function bracket(chart: Bracket, width: number): SVGSVGElement {
  const rounds = chart.rounds.length;
  const column = Math.max(120, Math.min(230, (width - (rounds - 1) * JOIN) / rounds));
  const columns = arrange(chart);
  const height = HEAD + Math.max(...columns.flat().map((box) => box.y + boxHeight(box)));
  const drawn = shape("svg", { width: rounds * column + (rounds - 1) * JOIN, height, "font-size": FONT, fill: INK }) as SVGSVGElement;
  drawn.setAttribute("viewBox", `0 0 ${rounds * column + (rounds - 1) * JOIN} ${height}`);
  columns.forEach((boxes, round) => {
    const x = round * (column + JOIN);
    drawn.append(shape("text", { x, y: 16, "font-weight": 600 }, chart.rounds[round]!.name));
    for (const box of boxes) drawn.append(...tableOf(box, x, column), ...linesFrom(box, x + column, columns[round + 1]));
  });
  return drawn;
}

const boxHeight = ({ table }: Box): number => table.bots.length * LINE + (table.note ? 16 : 0);

/** The place of each table: from the last round back, each beside the table to which its first bot advances. */
function arrange(chart: Bracket): Box[][] {
  const columns: Box[][] = [];
  for (const { tables } of [...chart.rounds].reverse()) {
    const next = columns[0];
    const goal = (table: BracketTable): number => Math.min(...table.bots.map((bot) => slot(bot.name, next) ?? Infinity));
    const order = tables.map((table, number) => ({ table, number, goal: goal(table) })).sort((a, b) => a.goal - b.goal || a.number - b.number);
    let y = HEAD;
    columns.unshift(order.map(({ table }) => {
      const box = { table, y };
      y += boxHeight(box) + GAP;
      return box;
    }));
  }
  for (let round = 1; round < columns.length; round++) centre(columns[round]!, columns[round - 1]!);
  return columns;
}

/** Move each table down to the middle of those that lead to it, as far as there is room. */
function centre(boxes: Box[], before: Box[]): void {
  let free = HEAD;
  for (const box of boxes) {
    const names = box.table.bots.map((bot) => bot.name);
    const from = before.filter(({ table }) => table.bots.some((bot) => bot.advances && names.includes(bot.name)));
    const middle = from.reduce((sum, each) => sum + each.y + boxHeight(each) / 2, 0) / Math.max(1, from.length);
    box.y = Math.max(free, from.length ? middle - boxHeight(box) / 2 : free);
    free = box.y + boxHeight(box) + GAP;
  }
}

/** The middle of a bot's line in a round; undefined if it is not there. */
function slot(name: string, boxes: Box[] | undefined): number | undefined {
  for (const { table, y } of boxes ?? []) {
    const line = table.bots.findIndex((bot) => bot.name === name);
    if (line >= 0) return y + (line + 0.5) * LINE;
  }
  return undefined;
}

function tableOf({ table, y }: Box, x: number, width: number): SVGElement[] {
  const found = [shape("rect", { x: x + 0.5, y: y + 0.5, width: width - 1, height: table.bots.length * LINE, rx: 6, fill: PAPER, stroke: SOFT })];
  table.bots.forEach((bot, line) => found.push(...lineOf(bot, x, y + line * LINE, width, table.note === "bye")));
  if (table.note) found.push(shape("text", { x: x + 8, y: y + table.bots.length * LINE + 13, "font-size": 11, fill: SOFT }, table.note));
  return found;
}

function lineOf(bot: BracketBot, x: number, y: number, width: number, is_bye: boolean): SVGElement[] {
  const weight = bot.advances && !is_bye ? 700 : 400;
  const middle = y + LINE / 2 + FONT * 0.36;
  const name = shape("text", { x: x + 10, y: middle, "font-weight": weight, fill: bot.advances ? INK : SOFT }, shorter(bot.name, Math.floor((width - 58) / (FONT * 0.6))));
  name.append(shape("title", {}, bot.name));
  const found = [name];
  if (bot.points !== null) found.push(shape("text", { x: x + width - 10, y: middle, "text-anchor": "end", "font-weight": weight }, String(bot.points)));
  if (bot.advances) found.push(shape("rect", { x: x + 1, y: y + 4, width: 3, height: LINE - 8, fill: tone(0) }));
  return found;
}

function linesFrom({ table, y }: Box, x: number, next: Box[] | undefined): SVGElement[] {
  return table.bots.flatMap((bot, line) => {
    const to = bot.advances ? slot(bot.name, next) : undefined;
    if (to === undefined) return [];
    const from = y + (line + 0.5) * LINE;
    return [shape("path", { d: `M${x},${from}C${x + JOIN / 2},${from} ${x + JOIN / 2},${to} ${x + JOIN},${to}`, fill: "none", stroke: tone(0), "stroke-width": 1.5 })];
  });
}
