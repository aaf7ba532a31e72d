import { byId, make } from "../common/dom";
import type { Game } from "./data";

/** Microseconds in words: `30 µs`, `1.3 ms`, `1.2 s`. */
export function duration(time: number): string {
  if (time < 1000) return `${time} µs`;
  if (time < 9_950) return `${(time / 1000).toFixed(1)} ms`;
  return time < 999_500 ? `${Math.round(time / 1000)} ms` : `${(time / 1e6).toFixed(1)} s`;
}

/** The table of players: the points so far, and how the game ended. */
export class Players {
  private points: HTMLTableCellElement[] = [];
  private rows: HTMLTableRowElement[] = [];
  private game!: Game;

  load(game: Game): void {
    this.game = game;
    this.rows = game.players.map((name, seat) => this.row(name, seat));
    byId("players").querySelector("tbody")!.replaceChildren(...this.rows);
  }

  private row(name: string, seat: number): HTMLTableRowElement {
    const row = make("tr");
    const player = make("th", name);
    player.scope = "row";
    for (const fault of this.game.faults.filter((fault) => fault.seat === seat)) {
      player.append(" ", make("em", `${fault.kind} at ply ${fault.ply}`));
    }
    this.points[seat] = make("td");
    const sign = make("td");
    sign.innerHTML = this.game.signs[seat]!;
    sign.append(`#${seat}`);
    row.append(sign, player, this.points[seat]!);
    row.append(make("td", String(this.game.result.ranks[seat] ?? "")), make("td", this.time(seat)));
    return row;
  }

  /** All the time that a seat's bot took; empty if it is not known. */
  private time(seat: number): string {
    const { times, movers } = this.game;
    const total = (times ?? []).reduce((sum, time, ply) => (movers[ply + 1] === seat ? sum + time : sum), 0);
    return total > 0 ? duration(total) : "";
  }

  /** Show the points at a position, and who made the move that led there. */
  show(position: number): void {
    const mover = this.game.movers[position];
    this.rows.forEach((row, seat) => {
      this.points[seat]!.textContent = String(this.game.points[position]?.[seat] ?? "");
      if (seat === mover) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
    });
  }
}
