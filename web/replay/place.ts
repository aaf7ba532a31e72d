import { besides } from "./beside";
import { positionsOf, type Replay } from "./data";

/** What the page shows, as its address names it after `#`. */
export interface Place {
  /** The index of the game in the page. */
  game: number;
  /** 0 is the deal, ply N is position N + 1. */
  position: number;
  /** The seat whose view is shown; null shows everything. */
  view: number | null;
  /** What stands beside it: a key of `besides`, or nothing. */
  beside: string;
}

/**
 * The place that a fragment such as `#game=3&ply=57&seat=2` names, and a sentence for each value that is wrong.
 * Without a ply, or with `ply=deal`, it is the deal.
 */
export function parsePlace(fragment: string, replay: Replay): [Place, string[]] {
  const values = new URLSearchParams(fragment.replace(/^#/, ""));
  const problems: string[] = [];
  const read = (name: string): number | null => {
    const text = values.get(name);
    if (text === null) return null;
    if (/^\d{1,9}$/.test(text)) return Number(text);
    problems.push(`${name} '${text}' is not a number.`);
    return null;
  };
  const place: Place = { game: 0, position: 0, view: replay.seat, beside: "" };
  const record = read("game");
  const ply = values.get("ply") === "deal" ? null : read("ply");
  const seat = read("seat");
  if (record !== null) {
    place.game = replay.games.findIndex((game) => game.record === record);
    if (place.game < 0) {
      problems.push(`This page has no game ${record}: it has game ${listed(replay.games.map((game) => game.record))}.`);
      return [{ ...place, game: 0 }, problems];
    }
  }
  const game = replay.games[place.game]!;
  const last = positionsOf(game) - 1;
  if (ply !== null) {
    place.position = Math.min(ply + 1, last);
    if (ply >= last) problems.push(`Game ${game.record} has no ply ${ply}: its plies are 0 to ${last - 1}.`);
  }
  if (seat !== null && replay.seat === null) {
    if (seat < game.players.length) place.view = seat;
    else problems.push(`Game ${game.record} has no seat ${seat}: its seats are 0 to ${game.players.length - 1}.`);
  } else if (seat !== null && seat !== replay.seat) {
    problems.push(`This page has only what seat ${replay.seat} saw, not seat ${seat}.`);
  }
  const beside = values.get("beside") ?? "";
  if (beside === "" || besides(replay, game).has(beside)) place.beside = beside;
  else problems.push(`'${beside}' can't stand beside game ${game.record}: use seat0, for example, or game2 of the same deal.`);
  return [place, problems];
}

function listed(numbers: number[]): string {
  const shown = numbers.slice(0, 10).join(", ");
  return numbers.length > 10 ? `${shown} and ${numbers.length - 10} more` : shown;
}

/** The fragment that names a place. */
export function fragmentOf(place: Place, replay: Replay): string {
  const parts = [`game=${replay.games[place.game]!.record}`];
  if (place.position > 0) parts.push(`ply=${place.position - 1}`);
  if (place.view !== null && replay.seat === null) parts.push(`seat=${place.view}`);
  if (place.beside) parts.push(`beside=${place.beside}`);
  return `#${parts.join("&")}`;
}

/** The fragment of the page's address. Browsers refuse to change it more than a hundred times in 30 seconds. */
export class Address {
  private known = "";
  private written = -Infinity;
  private timer = 0;

  /** The fragment, which somebody may have typed. */
  read(): string {
    window.clearTimeout(this.timer);
    this.known = location.hash;
    return this.known;
  }

  /** Change the fragment: at once, or soon if it has just been changed. The last change counts. */
  write(fragment: string): void {
    window.clearTimeout(this.timer);
    const wait = this.written + BETWEEN_WRITES - performance.now();
    if (wait > 0) {
      this.timer = window.setTimeout(() => this.write(fragment), wait);
    } else if (location.hash === this.known && this.known !== fragment) {
      this.written = performance.now(); // a fragment that is not known was typed, and is about to be read
      history.replaceState(null, "", fragment);
      this.known = location.hash;
    }
  }
}

const BETWEEN_WRITES = 350; // milliseconds
