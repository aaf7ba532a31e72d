import { Drawing, element, setAll } from "../common/drawing";
import { type Change, marksOf } from "./changes";
import { type Game, positionsOf, type Replay, unfold } from "./data";

/** The drawn board of one game and its players: a slot for every part, which changes as a whole. `suffix` is for ids. */
export class Board extends Drawing {
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
    suffix = "",
  ) {
    super(game, game.slots);
    this.parts = unfold(game.board, positionsOf(game));
    this.phrases = unfold(game.words, positionsOf(game));
    this.shown = new Int32Array(game.slots).fill(-1);
    game.hands.forEach(([slot, seat], number) => this.closed.set(slot, { seat, slot: game.slots + number }));
    const title = element("title");
    title.textContent = `The board: ${game.title}`;
    this.pictures[0].prepend(title);
    title.id = `board-title${suffix}`;
    this.description.id = `board-description${suffix}`;
    setAll(this.pictures[0], { id: `board${suffix}`, "aria-labelledby": `${title.id} ${this.description.id}` });
    this.pictures[1].id = `hands${suffix}`;
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
        changes[this.pictureOf(slot)]!.push({ spot, before: this.svgOf(slot, old), after: this.svgOf(slot, after) });
      }
      if (this.shown[slot] === after) return;
      group.innerHTML = this.svgOf(slot, after);
      this.shown[slot] = after;
    });
    this.marks.forEach((marks, picture) => (marks.innerHTML = marksOf(changes[picture]!)));
  }

  /** What the pieces on the screen are, in words; with what is drawn there if these have no figures. */
  pieces(): string[] {
    const titles = this.pictures.flatMap((picture) => [...picture.querySelectorAll("g > title")]);
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
