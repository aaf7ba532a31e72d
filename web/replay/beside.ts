import { byId, make, option } from "../common/dom";
import { Board } from "./board";
import { type Game, type Replay, tell } from "./data";
import { stopsOf, type Unit } from "./stops";

/** What can stand beside a game, by its name in addresses: the view of a seat, or another seating of the same deal. */
export function besides({ games, seat }: Replay, game: Game): Map<string, { label: string; game: Game; view: number | null }> {
  const seats = seat === null ? game.players.map((name, view) => ({ key: `seat${view}`, label: `Seat ${view}: ${name}`, game, view })) : [];
  const others = games
    .filter((other) => other !== game && other.deal === game.deal)
    .map((other) => ({ key: `game${other.record}`, label: `Game ${other.record}: ${other.players.join(", ")}`, game: other, view: seat }));
  return new Map([...seats, ...others].map(({ key, ...shown }) => [key, shown]));
}

/** The second board: another view of the game, or another game, stepped together with the first. */
export class Beside {
  private board: Board | undefined;
  private game!: Game;
  private view: number | null = null;
  private label = "";

  constructor(private readonly replay: Replay) {}

  /** List what can be chosen for a game, and show it or nothing. */
  load(game: Game, key: string): void {
    const choices = besides(this.replay, game);
    const select = byId<HTMLSelectElement>("beside-picked");
    select.replaceChildren(option("", "Nothing"), ...[...choices].map(([value, { label }]) => option(value, label)));
    select.value = key;
    byId("beside-picker").hidden = choices.size === 0;
    const chosen = choices.get(key);
    this.board = chosen && new Board(chosen.game, this.replay, "-beside");
    document.body.classList.toggle("pair", Boolean(chosen));
    byId("beside").hidden = !chosen;
    if (!chosen || !this.board) return;
    Object.assign(this, chosen);
    byId("beside-stage").replaceChildren(this.board.pictures[0]);
    byId("beside-hands").replaceChildren(this.board.pictures[1]);
  }

  /** Show the position after as many decisions, turns or rounds as the first board shows. */
  show(steps: number, unit: Unit): void {
    if (!this.board) return;
    const stops = stopsOf(this.game, unit);
    const number = Math.min(steps, stops.length - 1);
    const [before, position] = [stops[Math.max(0, number - 1)]!, stops[number]!];
    this.board.show(position, before, this.view);
    const where = make("b", `${this.label} · ${position ? `ply ${position - 1}` : "the deal"}\n`);
    byId("beside-news").replaceChildren(where, tell(this.replay, this.game, before, position, this.view).join("\n"));
  }
}
