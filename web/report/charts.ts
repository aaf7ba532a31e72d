/*! The script contains Observable Plot (Copyright 2020-2025 Observable, Inc.), modules of D3 (Copyright 2010-2026 Mike
Bostock) and isoformat (Copyright 2021 Mike Bostock), with the ISC license:
Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted,
provided that the above copyright notice and this permission notice appear in all copies. THE SOFTWARE IS PROVIDED "AS IS"
AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY
AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY
DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER
TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE. */
import {
  areaY,
  barX,
  cell,
  dot,
  lineY,
  type Markish,
  plot,
  type PlotOptions,
  pointer,
  pointerY,
  ruleX,
  ruleY,
  text,
  tickX,
  tip,
  type TipOptions,
} from "@observablehq/plot";
import { bracket } from "./bracket";
import { DASHES, FONT, INK, PAPER, shorter, SOFT, tone, TONES } from "./looks";
import type { Boxes, Chart, Heat, HeatCell, Interval, Intervals, Lines, Point, Share, Shares } from "./specs";

const ROW = 24;
/** The height of a row in pixels. */
const MOST_LINES = 5;
/** Charts of more lines are drawn apart. */

const distinct = <T>(values: T[]): T[] => [...new Set(values)];
const digits = (value: number): string => value.toLocaleString("en", { maximumFractionDigits: 2 });
const percent = (value: number): string => `${(100 * value).toFixed(1)}%`;
const range = (low: number | null, high: number | null): string =>
  low === null || high === null ? "" : `\n95% interval ${digits(low)} to ${digits(high)}`;

/** Draw a chart, `width` pixels wide. */
export function draw(chart: Chart, width: number): SVGSVGElement {
  const drawn = chart.type === "bracket" ? bracket(chart, width) : drawPlot(chart, width);
  const links = drawn.querySelectorAll<SVGAElement>("a");
  drawn.setAttribute("role", links.length ? "group" : "img");
  drawn.setAttribute("aria-label", `${chart.title}. The table below has the numbers.`);
  if (chart.type === "heat") nameLinks(links, chart.cells.filter(hasPage));
  return drawn;
}

function drawPlot(chart: Exclude<Chart, { type: "bracket" }>, width: number): SVGSVGElement {
  const drawn = plot({ width, style: { fontSize: `${FONT}px`, background: "none", color: INK }, ...options(chart, width) });
  for (const style of drawn.querySelectorAll("style")) style.remove(); // the page's policy refuses it; report.css has it
  for (const part of drawn.querySelectorAll("[aria-label]")) part.removeAttribute("aria-label"); // of groups without a role
  return drawn as SVGSVGElement;
}

const hasPage = (each: HeatCell): boolean => each.address !== "";

/** Name the links of cells. The table has the same links, so that these need not be stops of the tab key. */
function nameLinks(links: NodeListOf<SVGAElement>, cells: HeatCell[]): void {
  links.forEach((link, index) => {
    link.setAttribute("aria-label", `Watch ${cells[index]!.row} and ${cells[index]!.column}`);
    link.setAttribute("tabindex", "-1");
  });
}

/** The exact values of what is nearest to the pointer. */
function hover<Row>(rows: Row[], of: TipOptions & { x: string; y: string }, title: (row: Row) => string, near = pointer): Markish {
  return tip(rows, near({ ...of, title, fill: PAPER, stroke: SOFT, textPadding: 8 } as TipOptions));
}

function options(chart: Exclude<Chart, { type: "bracket" }>, width: number): PlotOptions {
  switch (chart.type) {
    case "intervals":
      return intervals(chart, width);
    case "lines":
      return distinct(chart.points.map((point) => point.name)).length > MOST_LINES ? multiples(chart, width) : lines(chart, width);
    case "heat":
      return heat(chart, width);
    case "shares":
      return shares(chart, width);
    case "boxes":
      return boxes(chart, width);
  }
}

/** What charts with a row for each name share: the names on the left. */
function rowsOf(rows: { name: string }[], width: number): PlotOptions {
  const names = distinct(rows.map((row) => row.name));
  const most = width < 500 ? 12 : 24;
  const longest = Math.max(...names.map((name) => Math.min(name.length, most)));
  return {
    height: names.length * ROW + 64,
    marginLeft: 16 + longest * FONT * 0.58,
    marginRight: 24,
    marginBottom: 40,
    marginTop: 12,
    y: { domain: names, label: null, tickFormat: (name: string) => shorter(name, most), tickSize: 0 },
  };
}

/** Dots with error bars. A bot without an interval looks unsure: a hollow dot on a dotted line from end to end. */
function intervals(chart: Intervals, width: number): PlotOptions {
  const fits = (row: Interval): boolean => !chart.is_logarithmic || (row.low ?? row.value) > 0;
  const known = chart.rows.filter((row) => row.low !== null && row.high !== null && fits(row));
  const sure = known.filter((row) => !row.is_doubtful);
  const doubtful = known.filter((row) => row.is_doubtful);
  const hollow = chart.rows.filter((row) => row.low === null || row.is_doubtful);
  const filled = chart.rows.filter((row) => !hollow.includes(row));
  const bar = { y: "name", x1: "low", x2: "high", stroke: INK, strokeWidth: 2 };
  const end = { y: "name", stroke: INK, insetTop: 7, insetBottom: 7 };
  return {
    ...rowsOf(chart.rows, width),
    x: {
      label: chart.label,
      labelAnchor: "center",
      labelArrow: "none",
      grid: true,
      ticks: Math.min(10, Math.floor(width / 90)),
      ...(chart.domain ? { domain: chart.domain, nice: true } : {}),
      ...(chart.is_logarithmic ? { type: "log" as const, tickFormat: String } : {}),
    },
    marks: [
      ...(chart.zero === null ? [] : [ruleX([chart.zero], { stroke: SOFT, strokeDasharray: "4 3" })]),
      ruleY(
        chart.rows.filter((row) => row.low === null),
        { y: "name", stroke: SOFT, strokeWidth: 2, strokeDasharray: "2 4" },
      ),
      ruleY(doubtful, { ...bar, strokeDasharray: "2 4" }),
      ruleY(sure, bar),
      tickX(known, { ...end, x: "low" }),
      tickX(known, { ...end, x: "high" }),
      dot(filled, { x: "value", y: "name", r: 5, fill: tone(0), stroke: PAPER }),
      dot(hollow, { x: "value", y: "name", r: 4.5, fill: PAPER, stroke: tone(0), strokeWidth: 2 }),
      hover(
        chart.rows,
        { x: "value", y: "name" },
        (row) => `${row.name}: ${digits(row.value)}${range(row.low, row.high) || "\nno interval"}${row.is_doubtful ? "\ntoo few deals for it to hold" : ""}`,
        pointerY,
      ),
    ],
  };
}

/** A label at the end of each line; labels that would overlap are moved apart. */
function spread(values: number[], least: number): number[] {
  const order = values.map((_, index) => index).sort((a, b) => values[a]! - values[b]!);
  const placed = [...values];
  for (let at = 1; at < order.length; at++) {
    placed[order[at]!] = Math.max(placed[order[at]!]!, placed[order[at - 1]!]! + least);
  }
  const shift = order.length ? (placed[order.at(-1)!]! - values[order.at(-1)!]!) / 2 : 0;
  return placed.map((value) => value - shift);
}

function lines(chart: Lines, width: number): PlotOptions {
  const names = distinct(chart.points.map((point) => point.name));
  const height = Math.max(320, Math.min(names.length * 17 + 80, 640));
  const shown = chart.zero === null ? [] : chart.points; // of strengths, the bands of few games, much wider, are cut off
  const ys = [...chart.points.map((point) => point.y), ...shown.flatMap((point) => [point.low ?? point.y, point.high ?? point.y])];
  const ends = [Math.min(...ys, chart.zero ?? Infinity), Math.max(...ys, chart.zero ?? -Infinity)] as const;
  const last = names.map((name) => chart.points.filter((point) => point.name === name).at(-1)!);
  const labels = spread(
    last.map((point) => point.y),
    ((ends[1] - ends[0]) * 15) / (height - 70),
  ).map((y, index) => ({ y, x: last[index]!.x, name: last[index]!.name }));
  const top = Math.max(ends[1], ...labels.map((label) => label.y));
  const bottom = Math.min(ends[0], ...labels.map((label) => label.y));
  const most = width < 500 ? 10 : 20;
  const banded = chart.points.filter((point) => point.low !== null);
  return {
    height,
    marginRight: names.length > 1 ? 14 + Math.max(...names.map((name) => Math.min(most, name.length))) * FONT * 0.58 : 24,
    marginLeft: 52,
    marginBottom: 40,
    x: { label: chart.x_label, labelAnchor: "center", labelArrow: "none", ticks: Math.floor(width / 110), tickFormat: "d" },
    y: { label: chart.y_label, labelArrow: "none", grid: true, domain: [bottom, top], nice: true },
    marks: [
      areaY(banded, { x: "x", y1: "low", y2: "high", z: "name", fill: (point: { name: string }) => names.indexOf(point.name), fillOpacity: 0.15, clip: true }),
      ...(chart.zero === null ? [] : [ruleY([chart.zero], { stroke: SOFT, strokeDasharray: "4 3" })]),
      ...names.map((name, number) =>
        lineY(
          chart.points.filter((point) => point.name === name),
          { x: "x", y: "y", stroke: tone(number), strokeWidth: 2, strokeDasharray: DASHES[Math.floor(number / TONES) % 4]! },
        ),
      ),
      ...names.map((name, number) =>
        dot(
          chart.points.filter((point) => point.name === name),
          { x: "x", y: "y", r: names.length > 8 ? 1.5 : 2.5, fill: tone(number) },
        ),
      ),
      ...(names.length > 1
        ? [
            text(labels, {
              x: "x",
              y: "y",
              dx: 8,
              textAnchor: "start",
              text: (label: { name: string }) => shorter(label.name, most),
              fill: (label: { name: string }) => names.indexOf(label.name),
            }),
          ]
        : []),
      hover(chart.points, { x: "x", y: "y" }, lineTip(chart)),
    ],
    color: { type: "ordinal", domain: names.map((_, number) => number), range: names.map((_, number) => tone(number)) },
  };
}

const lineTip =
  (chart: Lines) =>
  (point: Point): string =>
    `${point.name}\nafter ${digits(point.x)} ${chart.x_label}: ${digits(point.y)}${range(point.low, point.high)}`;

/** A small chart for each name, with its band; the other lines are behind it, grey. */
function multiples(chart: Lines, width: number): PlotOptions {
  const names = distinct(chart.points.map((point) => point.name));
  const columns = Math.max(2, Math.min(names.length, Math.floor(width / 200)));
  const place = new Map(names.map((name, number) => [name, { fx: number % columns, fy: Math.floor(number / columns) }]));
  const placed = chart.points.map((point) => ({ ...point, ...place.get(point.name)! }));
  const behind = names.flatMap((of) => chart.points.map((point) => ({ ...point, of, ...place.get(of)! })));
  const rows = Math.ceil(names.length / columns);
  const room = Math.floor(width / columns / (FONT * 0.62));
  const ys = chart.points.map((point) => point.y);
  const [least, most] = [Math.min(...ys), Math.max(...ys)]; // bands of few games, which are much wider, are cut off
  const pad = (most - least) * 0.15 || 1;
  const facet = { fx: "fx", fy: "fy" };
  return {
    height: rows * 128 + 50,
    marginLeft: 40,
    marginRight: 8,
    marginTop: 24,
    marginBottom: 40,
    fx: { axis: null, paddingInner: 0.06, paddingOuter: 0 },
    fy: { axis: null, paddingInner: 0.25, paddingOuter: 0 },
    x: { label: chart.x_label, labelAnchor: "center", labelArrow: "none", ticks: 3, tickFormat: "d" },
    y: { label: null, grid: true, ticks: 4, domain: [least - pad, most + pad], clamp: true },
    marks: [
      lineY(behind, { ...facet, x: "x", y: "y", z: (point: Point & { of: string }) => `${point.of} ${point.name}`, stroke: SOFT, strokeWidth: 0.75, strokeOpacity: 0.35 }),
      areaY(
        placed.filter((point) => point.low !== null),
        { ...facet, x: "x", y1: "low", y2: "high", z: "name", fill: tone(0), fillOpacity: 0.25, clip: true },
      ),
      lineY(placed, { ...facet, x: "x", y: "y", z: "name", stroke: tone(0), strokeWidth: 2 }),
      text(
        names.map((name) => ({ name, ...place.get(name)! })),
        { ...facet, frameAnchor: "top-left", dy: -14, text: (each: { name: string }) => shorter(each.name, room), fontWeight: 600 },
      ),
      hover(placed, { ...facet, x: "x", y: "y" }, lineTip(chart)),
    ],
  };
}

/** Orange below one half, blue above it; the wider the interval, the paler. The text is readable on all of them. */
function shade(each: HeatCell): string {
  const strength = Math.min(1, Math.abs(each.value - 0.5) * 2) * (1 - Math.min(1, each.high - each.low)) * 0.6;
  return `rgba(var(--${each.value < 0.5 ? "low" : "high"}), ${strength.toFixed(3)})`;
}

/** A matrix. Where the names of columns have no room, they are turned; where there is none for that, numbers. */
function heat(chart: Heat, width: number): PlotOptions {
  const many = chart.names.length;
  const most = width < 500 ? 10 : 18;
  const label = (name: string): string => shorter(name, most);
  const longest = Math.max(...chart.names.map((name) => label(name).length)) * FONT * 0.58;
  const room = width - 14 - longest - 34;
  const is_numbered = room / many < 18;
  const left = 14 + longest + (is_numbered ? 26 : 0);
  const side = Math.min(64, (width - left - 34) / many);
  const is_turned = !is_numbered && longest > side - 4;
  const number = (name: string): string => String(chart.names.indexOf(name) + 1);
  const top = is_turned ? longest * 0.72 + 26 : 36;
  const place = { x: "column", y: "row" };
  return {
    width: left + side * many + 34,
    height: many * Math.min(side, 36) + top + 8,
    marginLeft: left,
    marginTop: top,
    marginRight: 34,
    marginBottom: 8,
    padding: 0.04,
    x: { domain: chart.names, axis: "top", label: null, tickSize: 0, tickFormat: is_numbered ? number : label, ...(is_turned ? { tickRotate: -45 } : {}) },
    y: { domain: chart.names, label: null, tickSize: 0, tickFormat: is_numbered ? (name: string) => `${label(name)}  ${number(name)}` : label },
    color: { type: "identity" },
    marks: [
      cell(chart.cells, { ...place, fill: shade, stroke: "var(--fa-line)", strokeOpacity: 0.3 }),
      cell(chart.cells.filter(hasPage), { ...place, href: "address", fill: "none", pointerEvents: "all", stroke: INK, strokeWidth: 1.5 }),
      ...(side < 17
        ? []
        : [text(chart.cells, { ...place, text: (each: HeatCell) => (100 * each.value).toFixed(0), fontSize: side < 26 ? 10 : FONT, pointerEvents: "none", fill: INK })]),
      hover(
        chart.cells,
        place,
        (each) => `${each.row} ranks ahead of ${each.column}\nin ${percent(each.value)} of ${digits(each.games)} games\n95% interval ${percent(each.low)} to ${percent(each.high)}`,
      ),
    ],
  };
}

const middle = (row: Share): number => (row.start + row.end) / 2;

function shares(chart: Shares, width: number): PlotOptions {
  const shared = rowsOf(chart.rows, width);
  const whole = Math.max(...chart.rows.map((row) => row.end));
  const last = Math.max(1, chart.kinds.length - 1);
  const opacity = (row: Share): number => (chart.is_ranked ? 0.15 ** (chart.kinds.indexOf(row.kind) / last) : 1);
  const amount = (row: Share): string => (chart.is_percent ? percent(row.end - row.start) : digits(row.end - row.start));
  return {
    ...shared,
    x: {
      label: chart.label,
      labelAnchor: "center",
      labelArrow: "none",
      ticks: Math.min(10, Math.floor(width / 90)),
      ...(chart.is_percent ? { percent: true } : {}),
    },
    color: { type: "ordinal", domain: chart.kinds, range: chart.kinds.map((_, number) => tone(chart.is_ranked ? 0 : number)) },
    marks: [
      barX(chart.rows, { x1: "start", x2: "end", y: "name", fill: "kind", fillOpacity: opacity, stroke: PAPER, insetTop: 2, insetBottom: 2 }),
      text(
        chart.rows.filter((row) => ((row.end - row.start) / whole) * width > row.kind.length * 10 + 16),
        { x: middle, y: "name", text: "kind", fill: (row: Share) => (opacity(row) > 0.7 ? PAPER : INK), fontWeight: 600 },
      ),
      tip(
        chart.rows,
        pointer({ x: middle, y: "name", title: (row: Share) => `${row.name}\n${chart.is_ranked ? "rank " : ""}${row.kind}: ${amount(row)}`, fill: PAPER, stroke: SOFT }),
      ),
    ],
  };
}

function boxes(chart: Boxes, width: number): PlotOptions {
  const shared = rowsOf(chart.rows, width);
  return {
    ...shared,
    x: { label: chart.label, labelAnchor: "center", labelArrow: "none", grid: true, ticks: Math.min(10, Math.floor(width / 90)) },
    marks: [
      ruleY(chart.rows, { y: "name", x1: "least", x2: "most", stroke: INK }),
      barX(chart.rows, { y: "name", x1: "first_quartile", x2: "third_quartile", fill: PAPER, stroke: tone(0), strokeWidth: 1.5, insetTop: 4, insetBottom: 4 }),
      tickX(chart.rows, { y: "name", x: "median", stroke: tone(0), strokeWidth: 3, insetTop: 4, insetBottom: 4 }),
      hover(
        chart.rows,
        { x: "median", y: "name" },
        (row) => `${row.name}: median ${digits(row.median)}\nmiddle half ${digits(row.first_quartile)} to ${digits(row.third_quartile)}\nall ${digits(row.least)} to ${digits(row.most)}`,
        pointerY,
      ),
    ],
  };
}
