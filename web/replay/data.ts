import { readData } from "../shared/data";

/** A sentence for all, or one for who sees all and for this seat, and another for the other seats. */
type Sentence = string | [string, string, number];

export interface Fault {
  seat: number;
  ply: number;
  kind: string;
}

/** A game as `GameData` in fa_cli/viewer/replay_data.py describes it. Position 0 is the deal, ply 0 leads to position 1. */
export interface Game {
  record: number;
  title: string;
  players: string[];
  colours: string[];
  problem: string;
  result: { scores: number[]; ranks: number[]; reason: string };
  size: [number, number];
  slots: number;
  hands: [number, number][];
  frames: number[][];
  descriptions: string[];
  sentences: Sentence[][];
  movers: number[];
  turns: number[];
  rounds: number[];
  points: number[][];
  times: number[] | null;
  auctions: number[];
  scorings: number[];
  faults: Fault[];
  strip: string;
}

export interface Replay {
  /** The only seat whose view the page has; null if it has all. */
  seat: number | null;
  /** The SVG of every part of the drawings. */
  parts: string[];
  games: Game[];
}

type Columns = { [name in keyof Game]: Game[name][] } & Pick<Replay, "seat" | "parts">;

/** The page's games; its data are by field, because that packs better. */
export async function readReplay(): Promise<Replay> {
  const { seat, parts, ...columns } = await readData<Columns>("data");
  const games = columns.record.map((_, number) =>
    Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, values[number]])),
  ) as unknown as Game[];
  return { seat, parts, games };
}

/** The sentences of a position as a seat may know them, one a line; view null sees everything. */
export function sentencesOf(game: Game, position: number, view: number | null): string {
  const shown = (sentence: Sentence): string => {
    if (typeof sentence === "string") return sentence;
    const [known, others, seat] = sentence;
    return view === null || view === seat ? known : others;
  };
  return (game.sentences[position] ?? []).map(shown).join("\n");
}
