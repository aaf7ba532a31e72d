import { type Change, marksOf } from "./changes";
import { type Game, positionsOf, type Replay, unfold } from "./data";

const EDGE = 4; // user units: the frame of the first player reaches above its panel
const SVG = "http://www.w3.org/2000/svg";

/** The drawn board of one game and its players: a slot for every part, which changes as a whole. `suffix` is for ids. */
export class Board {
  readonly svg = document.createElementNS(SVG, "svg");
  /** The picture of the players with their hands. */
  readonly hands = document.createElementNS(SVG, "svg");
  private readonly title = document.createElementNS(SVG, "title");
  private readonly description = document.createElementNS(SVG, "desc");
  private readonly groups: SVGGElement[] = [];
  /** The marks at what changed: on the board, and on the players. */
  private readonly marks = [document.createElementNS(SVG, "g"), document.createElementNS(SVG, "g")] as const;
  /** By slot: the number of the part on the screen. */
  private readonly shown: Int32Array;
  /** By position and slot: the number of the part. */
  private readonly parts: Int32Array;
  /** By position and slot: the number of the sentence that describes the board. */
  private readonly phrases: Int32Array;
  /** By slot that depends on the view: the seat that sees it open, and the slot of its closed part. */
  private readonly closed = new Map<number, { seat: number; slot: number }>();

  constructor(
    private readonly game: Game,
    private readonly replay: Replay,
    private readonly suffix = "",
  ) {
    this.parts = unfold(game.board, positionsOf(game));
    this.phrases = unfold(game.words, positionsOf(game));
    this.shown = new Int32Array(game.slots).fill(-1);
    game.hands.forEach(([slot, seat], number) => this.closed.set(slot, { seat, slot: game.slots + number }));
    this.build();
  }

  private build(): void {
    const [width, height] = this.game.size;
    const [slots, below] = this.game.split;
    this.title.id = `board-title${this.suffix}`;
    this.description.id = `board-description${this.suffix}`;
    this.title.textContent = `The board: ${this.game.title}`;
    this.svg.append(this.title, this.description);
    for (let slot = 0; slot < this.game.slots; slot++) {
      const group = document.createElementNS(SVG, "g");
      this.groups.push(group);
      (slot < slots ? this.svg : this.hands).append(group);
    }
    this.svg.append(this.marks[0]);
    this.hands.append(this.marks[1]);
    const box = `0 0 ${width} ${below - EDGE}`;
    name(this.svg, { id: `board${this.suffix}`, viewBox: box, "aria-labelledby": `${this.title.id} ${this.description.id}` });
    name(this.hands, { id: `hands${this.suffix}`, viewBox: `0 ${below - EDGE} ${width} ${height - below}`, "aria-label": "The players and their hands" });
  }

  /** Draw a position as a seat sees it, or with all hands, and mark what has changed since the one before. */
  show(position: number, before: number, view: number | null): void {
    this.description.textContent = this.describe(position);
    const changes: Change[][] = [[], []];
    this.groups.forEach((group, slot) => {
      const after = this.partOf(position, slot, view);
      const old = this.partOf(before, slot, view);
      const spot = this.game.spots[slot]!;
      if (old !== after && spot.length) {
        changes[slot < this.game.split[0] ? 0 : 1]!.push({ spot, before: this.svgOf(slot, old), after: this.svgOf(slot, after) });
      }
      if (this.shown[slot] === after) return;
      group.innerHTML = this.svgOf(slot, after);
      this.shown[slot] = after;
    });
    this.marks.forEach((marks, picture) => (marks.innerHTML = marksOf(changes[picture]!)));
  }

  /** What the pieces on the screen are, in words; with what is drawn there if these have no figures. */
  pieces(): string[] {
    const titles = [this.svg, this.hands].flatMap((picture) => [...picture.querySelectorAll("g > title")]);
    return titles.map(({ textContent, parentElement }) => {
      const drawn = /[\d:]/.test(textContent!) ? [] : [...parentElement!.querySelectorAll("text")];
      return [textContent, ...drawn.map((text) => text.textContent)].join(": ");
    });
  }

  /** The number of the part that a slot shows. */
  private partOf(position: number, slot: number, view: number | null): number {
    const closed = this.closed.get(slot);
    const shut = closed && view !== null && view !== closed.seat;
    return this.parts[position * this.game.board.keys.length + (shut ? closed.slot : slot)]!;
  }

  private svgOf(slot: number, part: number): string {
    return this.replay.parts[this.game.board.keys[slot]!]![part]!;
  }

  private describe(position: number): string {
    const { keys } = this.game.words;
    const numbers = this.phrases.subarray(position * keys.length, (position + 1) * keys.length);
    const phrases = keys.map((key, slot) => this.replay.phrases[key]![numbers[slot]!]!);
    return phrases.filter(Boolean).join(". ");
  }
}

function name(svg: SVGSVGElement, attributes: Record<string, string>): void {
  for (const [key, value] of Object.entries({ class: "fa-board", role: "img", preserveAspectRatio: "xMidYMin", ...attributes })) svg.setAttribute(key, value);
}
