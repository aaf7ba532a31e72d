import type { Spot } from "../replay/changes";

/** The messages of fa_cli/serve/messages.py. */
export interface Welcome {
  type: "welcome";
  game: string;
  heading: string;
  seat: number | null;
  players: string[];
  people: number[];
  size: [number, number];
  split: [number, number];
  keys: string[];
  spots: Spot[];
  areas: Record<string, Spot>;
  legend: string[];
  person_seconds: number | null;
  stand_in: string;
}

export interface Position {
  type: "position";
  ply: number;
  parts: Record<number, string>;
  words: string;
  /** Empty for spectators. */
  text: string;
  told: string[];
  actor: number;
  /** Empty if unknown. */
  spent: number[];
}

export type Choice = [action: string, words: string, targets: string[]];

export interface Choices {
  ask: string;
  legal: Choice[];
  same: Record<string, string>;
}

export interface Asked {
  type: "asked";
  ply: number;
  seat: number;
  seconds: number;
  choices: Choices | null;
  rules: string[];
}

export interface Drafted {
  type: "drafted";
  ply: number;
  held: string[];
  sentences: string[];
  is_ready: boolean;
  parts: Record<number, string>;
  choices: Choices | null;
}

export interface Present {
  type: "present";
  seats: number[];
  spectators: number;
  bots: number[];
  resigned: number[];
  awaited: number[];
}

export interface Ended {
  type: "ended";
  won: string;
  ranks: number[];
  scores: number[];
}

export type ToPage = Welcome | Position | Asked | Drafted | Present | Ended | { type: "refused" | "stopped"; why: string };

export type FromPage =
  | { type: "join"; token: string }
  | { type: "try" | "send"; ply: number; held: string[] }
  | { type: "resign" | "hand-over" | "return" };
