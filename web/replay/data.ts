import { readData } from "../common/data";
import type { Spot } from "./changes";

/** The number of a sentence for all; or of one for who sees all and for this seat, and of one for the other seats. */
type SentenceNumber = number | [number, number, number];

/** Slots that show a text each; by slot: its key, and how far each change leads in positions and in numbers of texts. */
interface Timelines {
  keys: number[];
  gaps: number[][];
  steps: number[][];
}

/** Points that a seat scored: the index of the sentence about it, the seat, the points, and what they are for. */
export type Scored = [sentence: number, seat: number, points: number, what: string];

/** What a language model was asked last and answered for the decision that led to this position; `earlier` counts messages. */
export type Said = [position: number, seat: number, question: string, answer: string, facts: string, earlier: number];

interface Fault {
  seat: number;
  ply: number;
  kind: string;
}

/** A game as `GameData` in fa_cli/viewer/replay_page.py describes it. Position 0 is the deal, ply 0 leads to position 1. */
export interface Game {
  record: number;
  /** The same number for games of the same deal. */
  deal: number;
  title: string;
  legend: string[];
  players: string[];
  signs: string[];
  ending: string;
  problem: string;
  result: { scores: number[]; ranks: number[]; reason: string };
  size: [number, number];
  split: [number, number];
  spots: Spot[];
  slots: number;
  hands: [number, number][];
  board: Timelines;
  words: Timelines;
  told: SentenceNumber[][];
  scored: Scored[][];
  movers: number[];
  turns: number[];
  rounds: number[];
  points: number[][];
  if_ended: [least: number[], most: number[]][];
  times: number[] | null;
  auctions: number[];
  scorings: number[];
  faults: Fault[];
  expected: number[][];
  mistakes: number[];
  strip: string;
  said: Said[];
}

export interface Replay {
  /** The only seat whose view the page has; null if it has all. */
  seat: number | null;
  /** The numbers of the games that are missing because the log is damaged there. */
  unreadable: number[];
  /** By key and number: the SVG of the parts of drawings. */
  parts: string[][];
  /** By key and number: sentences that describe drawings. */
  phrases: string[][];
  sentences: string[];
  games: Game[];
}

type Shared = Omit<Replay, "games">;
type Columns = Shared & { [name in keyof Game]: Game[name][] };

/** The page's games; its data are by field, because that packs better. */
export async function readReplay(): Promise<Replay> {
  const { seat, unreadable, parts, phrases, sentences, ...columns } = await readData<Columns>("data");
  const games = columns.record.map((_, number) =>
    Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, values[number]])),
  ) as unknown as Game[];
  return { seat, unreadable, parts, phrases, sentences, games };
}

/** How many positions a game has. */
export function positionsOf(game: Game): number {
  return game.movers.length;
}

/** What a list has for the positions after one up to another; for the deal, what it has there. */
export function between<T>(lists: T[][], before: number, position: number): T[] {
  return lists.slice(position ? before + 1 : 0, position + 1).flat();
}

/** The number of the text that each slot shows: as many numbers for each position as there are slots. */
export function unfold({ gaps, steps }: Timelines, positions: number): Int32Array {
  const width = gaps.length;
  const table = new Int32Array(positions * width);
  for (let slot = 0; slot < width; slot++) {
    const changes = new Map<number, number>();
    let position = 0;
    gaps[slot]!.forEach((gap, change) => changes.set((position += gap), steps[slot]![change]!));
    let number = 0;
    for (position = 0; position < positions; position++) {
      number += changes.get(position) ?? 0;
      table[position * width + slot] = number;
    }
  }
  return table;
}

/** The sentences that led from one position to another, or to the deal, as a seat may know them; null sees everything. */
export function tell({ sentences }: Replay, game: Game, before: number, position: number, view: number | null): string[] {
  const shown = (told: SentenceNumber): string => {
    if (typeof told === "number") return sentences[told]!;
    const [known, others, seat] = told;
    return sentences[view === null || view === seat ? known : others]!;
  };
  return between(game.told, before, position).map(shown);
}
