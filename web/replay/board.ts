import { type Game, positionsOf, type Replay, unfold } from "./data";

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
  private readonly parts: Int32Array;
  /** By position and slot: the number of the sentence that describes the board. */
  private readonly phrases: Int32Array;
  /** By slot that depends on the view: the seat that sees it open, and the slot of its closed part. */
  private readonly hands = new Map<number, { seat: number; closed: number }>();

  constructor(
    private readonly game: Game,
    private readonly replay: Replay,
  ) {
    this.parts = unfold(game.board, positionsOf(game));
    this.phrases = unfold(game.words, positionsOf(game));
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
    this.description.textContent = this.describe(position);
    const { keys } = this.game.board;
    const row = position * keys.length;
    this.groups.forEach((group, slot) => {
      const hand = this.hands.get(slot);
      const closed = hand && view !== null && view !== hand.seat;
      const part = this.parts[row + (closed ? hand.closed : slot)]!;
      if (this.shown[slot] === part) return group.classList.remove("new");
      group.classList.toggle("new", this.shown[slot] !== -1);
      group.innerHTML = this.replay.parts[keys[slot]!]![part]!;
      this.shown[slot] = part;
    });
  }

  private describe(position: number): string {
    const { keys } = this.game.words;
    const numbers = this.phrases.subarray(position * keys.length, (position + 1) * keys.length);
    const phrases = keys.map((key, slot) => this.replay.phrases[key]![numbers[slot]!]!);
    return phrases.filter(Boolean).join(". ");
  }
}
