import { byId } from "../common/dom";

/** The box that leads to a ply or, by a text, to the next position whose sentences have it. */
export class Find {
  private readonly box = byId<HTMLInputElement>("find");

  /** `contains` says whether a position's sentences have a text in lower case; `go` may refuse, with a sentence. */
  constructor(
    private readonly positions: () => { now: number; last: number; contains: (position: number, text: string) => boolean },
    private readonly go: (position: number) => void,
    private readonly refuse: (sentence: string) => void,
  ) {
    this.box.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" && event.key !== "Enter") return;
      event.preventDefault(); // Escape would clear the box
      this.box.blur(); // so that n and N go on
      if (event.key === "Enter") this.enter();
    });
  }

  /** Let the user type. */
  open(): void {
    this.box.focus();
    this.box.select();
  }

  private enter(): void {
    const text = this.box.value.trim();
    if (!/^\d{1,9}$/.test(text)) return this.search(1);
    const { last } = this.positions();
    if (Number(text) < last) this.go(Number(text) + 1);
    else this.refuse(`No ply ${text}: plies are 0 to ${last - 1}.`);
  }

  /** Go to the next position with the text, or the one before. */
  search(direction: 1 | -1): void {
    const text = this.box.value.trim().toLowerCase();
    if (!text) return this.open();
    const { now, last, contains } = this.positions();
    let position = now + direction;
    while (position >= 0 && position <= last && !contains(position, text)) position += direction;
    if (position >= 0 && position <= last) this.go(position);
    else this.refuse(`No ${direction > 0 ? "later" : "earlier"} sentence contains '${text}'.`);
  }
}
