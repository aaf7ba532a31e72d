/** The charts as fa_cli/viewer/report_charts.py writes them. */
export interface Interval {
  name: string;
  value: number;
  low: number | null;
  high: number | null;
  is_doubtful: boolean;
}

export interface Intervals {
  type: "intervals";
  title: string;
  label: string;
  rows: Interval[];
  zero: number | null;
  domain: [number, number] | null;
  is_logarithmic: boolean;
}

export interface Point {
  name: string;
  x: number;
  y: number;
  low: number | null;
  high: number | null;
}

export interface Lines {
  type: "lines";
  title: string;
  x_label: string;
  y_label: string;
  points: Point[];
  zero: number | null;
}

export interface HeatCell {
  row: string;
  column: string;
  value: number;
  low: number;
  high: number;
  games: number;
  address: string;
}

export interface Heat {
  type: "heat";
  title: string;
  names: string[];
  cells: HeatCell[];
}

export interface Share {
  name: string;
  kind: string;
  start: number;
  end: number;
}

export interface Shares {
  type: "shares";
  title: string;
  label: string;
  kinds: string[];
  rows: Share[];
  is_percent: boolean;
  is_ranked: boolean;
}

export interface Box {
  name: string;
  least: number;
  first_quartile: number;
  median: number;
  third_quartile: number;
  most: number;
}

export interface Boxes {
  type: "boxes";
  title: string;
  label: string;
  rows: Box[];
}

export interface BracketBot {
  name: string;
  points: number | null;
  advances: boolean;
}

export interface BracketTable {
  bots: BracketBot[];
  note: string;
}

export interface Bracket {
  type: "bracket";
  title: string;
  rounds: { name: string; tables: BracketTable[] }[];
}

export type Chart = Intervals | Lines | Heat | Shares | Boxes | Bracket;
