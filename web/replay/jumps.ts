import { byId, make } from "../common/dom";
import type { Game } from "./data";

/** The positions to which the buttons of one kind lead, rising. */
interface Jump {
  name: string;
  positions: number[];
}

function jumpsOf(game: Game): Jump[] {
  const begins = (numbers: number[]): number[] =>
    numbers.flatMap((number, position) => (number > 0 && number !== numbers[position - 1] ? [position] : []));
  const after = (plies: number[]): number[] => [...new Set(plies)].map((ply) => ply + 1);
  return [
    { name: "turn", positions: begins(game.turns) },
    { name: "round", positions: begins(game.rounds) },
    { name: "auction", positions: after(game.auctions) },
    { name: "scoring", positions: after(game.scorings) },
    { name: "fault", positions: after(game.faults.map((fault) => fault.ply)) },
    { name: "mistake", positions: after(game.mistakes) },
  ].filter((jump) => jump.positions.length > 0);
}

/** Buttons that lead to the previous and the next turn, round, auction, scoring, fault and mistake of a game. */
export class Jumps {
  private updates: ((position: number) => void)[] = [];

  constructor(private readonly go: (position: number) => void) {}

  /** Make the buttons for a game. */
  load(game: Game): void {
    this.updates = [];
    byId("jumps").replaceChildren(...jumpsOf(game).map((jump) => this.group(jump)));
  }

  /** Mark the buttons that lead nowhere from this position. */
  show(position: number): void {
    for (const update of this.updates) update(position);
  }

  /** Press a button, if the game has what it leads to; in games without turns, turns are rounds. */
  press(name: string, backwards: boolean): void {
    const button = byId("jumps").querySelector<HTMLButtonElement>(`[aria-label="${backwards ? "Previous" : "Next"} ${name}"]`);
    if (button || name !== "turn") button?.click();
    else this.press("round", backwards);
  }

  private group({ name, positions }: Jump): HTMLElement {
    const group = make("div");
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", name);
    group.append(
      this.button(`Previous ${name}`, "M16 4v16L6 12z", (from) => positions.filter((position) => position < from).pop()),
      make("span", name),
      this.button(`Next ${name}`, "M8 4v16l10-8z", (from) => positions.find((position) => position > from)),
    );
    return group;
  }

  private button(label: string, icon: string, find: (from: number) => number | undefined): HTMLButtonElement {
    const button = make("button");
    button.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${icon}"/></svg>`;
    let target: number | undefined;
    button.type = "button";
    button.setAttribute("aria-label", label);
    button.addEventListener("click", () => target !== undefined && this.go(target));
    this.updates.push((position) => {
      target = find(position);
      button.setAttribute("aria-disabled", String(target === undefined)); // it keeps the focus, unlike `disabled`
    });
    return button;
  }
}
