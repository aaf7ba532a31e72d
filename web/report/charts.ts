/*! The script contains Observable Plot (Copyright 2020-2025 Observable, Inc.), modules of D3 (Copyright 2010-2026 Mike
Bostock) and isoformat (Copyright 2021 Mike Bostock), with the ISC license:
Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted,
provided that the above copyright notice and this permission notice appear in all copies. THE SOFTWARE IS PROVIDED "AS IS"
AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY
AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY
DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER
TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE. */
import { barX, cell, dot, lineY, areaY, type Markish, plot, type PlotOptions, ruleX, ruleY, text, tickX } from "@observablehq/plot";
import type { Boxes, Chart, Heat, HeatCell, Intervals, Lines, Shares } from "./specs";

const ROW = 24;
/** The height of a row in pixels. */
const FONT = 13;
const TONES = 8;
const SOFT = "var(--fa-soft)";
const INK = "var(--fa-ink)";
const PAPER = "var(--fa-card)";
const DASHES = ["", "7 3", "2 3", "9 3 2 3"];
/** With the tones these make lines that differ without colour too. */

const tone = (number: number): string => `var(--tone-${number % TONES})`;
const shorter = (name: string, most: number): string => (name.length > most ? `${name.slice(0, most - 1)}…` : name);
const distinct = <T>(values: T[]): T[] => [...new Set(values)];

/** Draw a chart, `width` pixels wide. */
export function draw(chart: Chart, width: number): Element {
  const drawn = plot({ width, style: { fontSize: `${FONT}px`, background: "none", color: INK }, ...options(chart, width) });
  for (const style of drawn.querySelectorAll("style")) style.remove(); // the page's policy refuses it; report.css has it
  for (const part of drawn.querySelectorAll("[aria-label]")) part.removeAttribute("aria-label"); // of groups without a role
  const links = drawn.querySelectorAll<SVGAElement>("a");
  drawn.setAttribute("role", links.length ? "group" : "img");
  drawn.setAttribute("aria-label", `${chart.title}. The table below has the numbers.`);
  if (chart.type === "heat") nameLinks(links, chart.cells.filter(hasPage));
  return drawn;
}

const hasPage = (each: HeatCell): boolean => each.address !== "";

/** Name the links of cells. The table has the same links, so that these need not be stops of the tab key. */
function nameLinks(links: NodeListOf<SVGAElement>, cells: HeatCell[]): void {
  links.forEach((link, index) => {
    link.setAttribute("aria-label", `Watch ${cells[index]!.row} and ${cells[index]!.column}`);
    link.setAttribute("tabindex", "-1");
  });
}

function options(chart: Chart, width: number): PlotOptions {
  switch (chart.type) {
    case "intervals":
      return intervals(chart, width);
    case "lines":
      return lines(chart, width);
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

function intervals(chart: Intervals, width: number): PlotOptions {
  const rows = chart.rows.map((row) => ({ ...row, low: row.low ?? row.value, high: row.high ?? row.value }));
  const shared = rowsOf(chart.rows, width);
  const ends = (chart.is_logarithmic ? rows.filter((row) => row.low > 0) : rows) as typeof rows;
  const marks: Markish[] = [
    ruleY(ends, { y: "name", x1: "low", x2: "high", stroke: INK, strokeWidth: 2 }),
    tickX(ends, { x: "low", y: "name", stroke: INK, insetTop: 7, insetBottom: 7 }),
    tickX(ends, { x: "high", y: "name", stroke: INK, insetTop: 7, insetBottom: 7 }),
    dot(ends, { x: "value", y: "name", r: 5, fill: tone(0), stroke: PAPER }),
  ];
  return {
    ...shared,
    x: {
      label: chart.label,
      labelAnchor: "center",
      labelArrow: "none",
      grid: true,
      ticks: Math.min(10, Math.floor(width / 90)),
      ...(chart.domain ? { domain: chart.domain, nice: true } : {}),
      ...(chart.is_logarithmic ? { type: "log" as const, tickFormat: String } : {}),
    },
    marks: chart.zero === null ? marks : [ruleX([chart.zero], { stroke: SOFT, strokeDasharray: "4 3" }), ...marks],
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
  const ys = chart.points.flatMap((point) => [point.y, point.low ?? point.y, point.high ?? point.y]);
  const range = [Math.min(...ys, chart.zero ?? Infinity), Math.max(...ys, chart.zero ?? -Infinity)] as const;
  const last = names.map((name) => chart.points.filter((point) => point.name === name).at(-1)!);
  const labels = spread(
    last.map((point) => point.y),
    ((range[1] - range[0]) * 15) / (height - 70),
  ).map((y, index) => ({ y, x: last[index]!.x, name: last[index]!.name }));
  const top = Math.max(range[1], ...labels.map((label) => label.y));
  const bottom = Math.min(range[0], ...labels.map((label) => label.y));
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
      areaY(banded, { x: "x", y1: "low", y2: "high", z: "name", fill: (point: { name: string }) => names.indexOf(point.name), fillOpacity: 0.15 }),
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
    ],
    color: { type: "ordinal", domain: names.map((_, number) => number), range: names.map((_, number) => tone(number)) },
  };
}

/** Orange below one half, blue above it, clear at it: the text is readable on all of them. */
function shade(value: number): string {
  const distance = Math.min(1, Math.abs(value - 0.5) * 2) * 0.55;
  return `rgba(var(--${value < 0.5 ? "low" : "high"}), ${distance.toFixed(3)})`;
}

function heat(chart: Heat, width: number): PlotOptions {
  const many = chart.names.length;
  const most = width < 500 ? 8 : 18;
  const label = (name: string): string => shorter(name, most);
  const marginLeft = 14 + Math.max(...chart.names.map((name) => label(name).length)) * FONT * 0.58;
  const size = Math.min(64, (width - marginLeft - 8) / many);
  const numbered = size < 60;
  const number = (name: string): string => String(chart.names.indexOf(name) + 1);
  const left = marginLeft + (numbered ? 26 : 0);
  const side = Math.min(size, (width - left - 8) / many);
  const place = { x: "column", y: "row", fill: (each: HeatCell) => shade(each.value) };
  return {
    width: left + side * many + 8,
    height: many * Math.min(side, 36) + 44,
    marginLeft: left,
    marginTop: 36,
    marginRight: 8,
    marginBottom: 8,
    padding: 0.04,
    x: { domain: chart.names, axis: "top", label: null, tickSize: 0, tickFormat: numbered ? number : label },
    y: { domain: chart.names, label: null, tickSize: 0, tickFormat: numbered ? (name: string) => `${label(name)}  ${number(name)}` : label },
    color: { type: "identity" },
    marks: [
      cell(chart.cells, { ...place, stroke: "var(--fa-line)", strokeOpacity: 0.3 }),
      cell(chart.cells.filter(hasPage), { ...place, href: "address", fill: "none", pointerEvents: "all", stroke: INK, strokeWidth: 1.5 }),
      ...(side < 17
        ? []
        : [
            text(chart.cells, {
              x: "column",
              y: "row",
              text: (each: { value: number }) => (100 * each.value).toFixed(0),
              fontSize: side < 26 ? 10 : FONT,
              pointerEvents: "none",
              fill: INK,
            }),
          ]),
    ],
  };
}

function shares(chart: Shares, width: number): PlotOptions {
  const shared = rowsOf(chart.rows, width);
  const whole = Math.max(...chart.rows.map((row) => row.end));
  return {
    ...shared,
    x: {
      label: chart.label,
      labelAnchor: "center",
      labelArrow: "none",
      ticks: Math.min(10, Math.floor(width / 90)),
      ...(chart.is_percent ? { percent: true } : {}),
    },
    color: { type: "ordinal", domain: chart.kinds, range: chart.kinds.map((_, number) => tone(number)) },
    marks: [
      barX(chart.rows, { x1: "start", x2: "end", y: "name", fill: "kind", stroke: PAPER, insetTop: 2, insetBottom: 2 }),
      text(
        chart.rows.filter((row) => ((row.end - row.start) / whole) * width > row.kind.length * 10 + 16),
        { x: (row: { start: number; end: number }) => (row.start + row.end) / 2, y: "name", text: "kind", fill: PAPER, fontWeight: 600 },
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
    ],
  };
}
