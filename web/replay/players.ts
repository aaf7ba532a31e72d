import { byId, make } from "../common/dom";
import { type Game, positionsOf } from "./data";

/** Microseconds in words: `30 µs`, `1.3 ms`, `1.2 s`. */
export function duration(time: number): string {
  if (time < 1000) return `${time} µs`;
  if (time < 9_950) return `${(time / 1000).toFixed(1)} ms`;
  return time < 999_500 ? `${Math.round(time / 1000)} ms` : `${(time / 1e6).toFixed(1)} s`;
}

/** The table of players: points, ranks and times of now, and the share of the win that each can expect. */
export class Players {
  private points: HTMLTableCellElement[] = [];
  private ended: HTMLTableCellElement[] = [];
  private ranks: HTMLTableCellElement[] = [];
  private times: HTMLTableCellElement[] = [];
  private expected: HTMLTableCellElement[] = [];
  private rows: HTMLTableRowElement[] = [];
  private game!: Game;

  load(game: Game): void {
    this.game = game;
    this.rows = game.players.map((name, seat) => this.row(name, seat));
    byId("players").classList.toggle("counted", !game.if_ended.length);
    byId("players").classList.toggle("judged", game.expected.length > 0);
    byId("players").querySelector("tbody")!.replaceChildren(...this.rows);
  }

  private row(name: string, seat: number): HTMLTableRowElement {
    const row = make("tr");
    const player = make("th", name);
    player.scope = "row";
    for (const fault of this.game.faults.filter((fault) => fault.seat === seat)) {
      const note = make("em", ` ${fault.kind} at ply ${fault.ply}`);
      note.dataset["ply"] = String(fault.ply);
      player.append(note);
    }
    this.points[seat] = make("td");
    this.ended[seat] = make("td");
    this.ended[seat]!.className = "ended";
    this.ranks[seat] = make("td");
    this.times[seat] = make("td");
    this.expected[seat] = make("td");
    this.expected[seat]!.className = "expected";
    const sign = make("td");
    sign.innerHTML = this.game.signs[seat]!;
    sign.append(`#${seat}`);
    row.append(sign, player, this.points[seat]!, this.ended[seat]!, this.ranks[seat]!, this.times[seat]!, this.expected[seat]!);
    return row;
  }

  /** The ranks by points; at the end of the game those of its result, which knows of faults and tie-breaks. */
  private ranksAt(position: number): number[] {
    const { ending, points, result } = this.game;
    if (ending && position === positionsOf(this.game) - 1) return result.ranks;
    const now = points[position]!;
    return now.map((own) => 1 + now.filter((other) => other > own).length);
  }

  /** The points of a seat if the game ended now: `24`, or `24–33` where chance would decide. */
  private ifEnded(position: number, seat: number): string {
    const [least, most] = this.game.if_ended[position] ?? [[], []];
    return least[seat] === most[seat] ? String(least[seat] ?? "") : `${least[seat]}–${most[seat]}`;
  }

  /** The time that a seat's bot took up to a position; empty if it is not known. */
  private time(seat: number, position: number): string {
    const { times, movers } = this.game;
    const before = (times ?? []).slice(0, position);
    const total = before.reduce((sum, time, ply) => (movers[ply + 1] === seat ? sum + time : sum), 0);
    return total > 0 ? duration(total) : "";
  }

  /** Show the points, ranks, times and expected shares at a position, and who made the move that led there. */
  show(position: number, hidesFuture: boolean): void {
    const mover = this.game.movers[position];
    const ranks = this.ranksAt(position);
    this.rows.forEach((row, seat) => {
      this.points[seat]!.textContent = String(this.game.points[position]?.[seat] ?? "");
      this.ended[seat]!.textContent = this.ifEnded(position, seat);
      this.ranks[seat]!.textContent = String(ranks[seat] ?? "");
      this.times[seat]!.textContent = this.time(seat, position);
      this.expected[seat]!.textContent = `${this.game.expected[position]?.[seat] ?? ""}%`;
      row.querySelectorAll("em").forEach((note) => (note.hidden = hidesFuture && Number(note.dataset["ply"]) >= position));
      if (seat === mover) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
    });
  }
}
