import type { Game } from "./data";

const SVG = "http://www.w3.org/2000/svg";

/** The drawn board of one game: a slot for every part, which changes as a whole. */
export class Board {
  readonly svg = document.createElementNS(SVG, "svg");
  private readonly title = document.createElementNS(SVG, "title");
  private readonly description = document.createElementNS(SVG, "desc");
  private readonly groups: SVGGElement[] = [];
  /** By slot: the number of the part on the screen. */
  private readonly shown: Int32Array;
  /** By position and slot: the number of the part. */
  private readonly table: Int32Array;
  private readonly width: number;
  /** By slot that depends on the view: the seat that sees it open, and the slot of its closed part. */
  private readonly hands = new Map<number, { seat: number; closed: number }>();

  constructor(
    private readonly game: Game,
    private readonly parts: string[],
  ) {
    this.width = game.slots + game.hands.length;
    this.table = unfold(game.frames, this.width);
    this.shown = new Int32Array(game.slots).fill(-1);
    game.hands.forEach(([slot, seat], number) => this.hands.set(slot, { seat, closed: game.slots + number }));
    this.build();
  }

  private build(): void {
    this.title.id = "board-title";
    this.description.id = "board-description";
    this.title.textContent = `The board: ${this.game.title}`;
    this.svg.append(this.title, this.description);
    for (let slot = 0; slot < this.game.slots; slot++) {
      const group = document.createElementNS(SVG, "g");
      this.groups.push(group);
      this.svg.append(group);
    }
    const attributes = {
      id: "board",
      class: "fa-board",
      viewBox: `0 0 ${this.game.size.join(" ")}`,
      role: "img",
      "aria-labelledby": "board-title board-description",
    };
    for (const [name, value] of Object.entries(attributes)) this.svg.setAttribute(name, value);
  }

  /** Draw a position as a seat sees it, or with all hands; parts that differ from the last drawing appear softly. */
  show(position: number, view: number | null): void {
    const row = position * this.width;
    this.description.textContent = this.game.descriptions[position] ?? "";
    this.groups.forEach((group, slot) => {
      const hand = this.hands.get(slot);
      const closed = hand && view !== null && view !== hand.seat;
      const part = this.table[row + (closed ? hand.closed : slot)] ?? -1;
      if (this.shown[slot] === part) return group.classList.remove("new");
      group.classList.toggle("new", this.shown[slot] !== -1);
      group.innerHTML = this.parts[part] ?? "";
      this.shown[slot] = part;
    });
  }
}

/** The parts of all positions, from their changes: as many numbers for each position as there are slots. */
function unfold(frames: number[][], width: number): Int32Array {
  const table = new Int32Array(frames.length * width).fill(-1);
  frames.forEach((frame, position) => {
    if (position > 0) table.copyWithin(position * width, (position - 1) * width, position * width);
    for (let at = 0; at < frame.length; at += 2) table[position * width + frame[at]!] = frame[at + 1]!;
  });
  return table;
}
