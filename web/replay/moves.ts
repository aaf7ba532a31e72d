import { byId, make } from "../common/dom";
import { type Game, positionsOf, type Replay, tell } from "./data";

/** The list of all moves in words; a click leads to the position after the move. */
export class Moves {
  private readonly list = byId("moves");
  private buttons: HTMLButtonElement[] = [];
  private items: HTMLLIElement[] = [];
  private current: HTMLButtonElement | undefined;

  constructor(
    private readonly replay: Replay,
    go: (position: number) => void,
  ) {
    this.list.addEventListener("click", (event) => {
      const button = (event.target as Element).closest("button");
      if (button) go(this.buttons.indexOf(button) + 1);
    });
    new ResizeObserver(() => this.scroll()).observe(this.list); // a banner, say, takes room
  }

  /** List the moves of a game as a seat may know them. */
  load(game: Game, view: number | null): void {
    const marked = new Set([...game.faults.map((fault) => fault.ply), ...game.mistakes]);
    this.buttons = Array.from({ length: positionsOf(game) - 1 }, (_, ply) => {
      const button = make("button");
      button.type = "button";
      button.tabIndex = -1; // only the current move is a stop of the tab key
      button.append(make("span", String(ply)), brief(game, ply + 1, tell(this.replay, game, ply, ply + 1, view)));
      button.classList.toggle("marked", marked.has(ply));
      return button;
    });
    this.items = this.buttons.map((button) => {
      const item = make("li");
      item.append(button);
      return item;
    });
    this.list.replaceChildren(...this.items);
    this.current = undefined;
  }

  /** Mark the move that led to a position, and scroll the list to it. */
  show(position: number, hidesFuture: boolean): void {
    this.items.forEach((item, ply) => (item.hidden = hidesFuture && ply >= position));
    this.current?.removeAttribute("aria-current");
    if (this.current) this.current.tabIndex = -1;
    this.current = this.buttons[position - 1];
    this.current?.setAttribute("aria-current", "step");
    const stop = this.current ?? this.buttons[0];
    if (stop) stop.tabIndex = 0;
    this.scroll();
  }

  private scroll(): void {
    const { current } = this;
    const middle = current ? current.offsetTop - (this.list.clientHeight - current.offsetHeight) / 2 : 0;
    this.list.scrollTop = current ? Math.min(middle, current.offsetTop) : 0; // not scrollIntoView, which would scroll the page too
  }
}

/** The sentences of a position; what several of them say about points is one line. */
function brief(game: Game, position: number, sentences: string[]): string {
  const scored = game.scored[position]!;
  if (scored.length < 2) return sentences.join("\n");
  const points = new Map<number, number>();
  for (const [, seat, gained] of scored) points.set(seat, (points.get(seat) ?? 0) + gained);
  const sums = [...points].map(([seat, sum]) => `${game.players[seat]} +${sum}`);
  const about = new Set(scored.map(([sentence]) => sentence));
  return [...sentences.filter((_, index) => !about.has(index)), `Points: ${sums.join(", ")}`].join("\n");
}
