import { Drawing, element, setAll } from "../common/drawing";
import { type Change, marksOf, type Spot } from "../replay/changes";
import type { Welcome } from "./protocol";

const FINGER = 22; // CSS pixels around a finger in which a part is meant

/** The board and the players, drawn by the server; what can be clicked is marked. */
export class Board extends Drawing {
  private readonly layers = this.pictures.map((picture) => picture.appendChild(element("g")));
  /** By slot: the SVG of the position, and what is shown, which may be of a draft. */
  private readonly parts: string[];
  private readonly shown: string[];

  /** `click` gets the key of the part that was clicked, and whether it was marked. */
  constructor(
    private readonly welcome: Welcome,
    click: (key: string, isTarget: boolean) => void,
  ) {
    super(welcome, welcome.keys.length);
    this.parts = welcome.keys.map(() => "");
    this.shown = welcome.keys.map(() => "");
    this.pictures[0].setAttribute("aria-label", `The board: ${welcome.heading}`);
    this.pictures.forEach((picture) => picture.addEventListener("click", (event) => this.onClick(event, picture, click)));
    this.groups[welcome.keys.indexOf(`seat.${welcome.seat}`)]?.setAttribute("class", "own");
  }

  /** Show a new position, and mark what has changed since the one before. */
  show(parts: Record<number, string>, words: string, marksChanges: boolean): void {
    const changes: Change[][] = [[], []];
    for (const [number, svg] of Object.entries(parts)) {
      const slot = Number(number);
      const spot = this.welcome.spots[slot]!;
      if (marksChanges && spot.length) changes[this.pictureOf(slot)]!.push({ spot, before: this.parts[slot]!, after: svg });
      this.parts[slot] = svg;
    }
    this.description.textContent = words;
    this.draft({});
    this.marks.forEach((marks, at) => (marks.innerHTML = marksOf(changes[at]!)));
  }

  /** Show the position with other parts in it. */
  draft(parts: Record<number, string>): void {
    this.groups.forEach((group, slot) => {
      const svg = parts[slot] ?? this.parts[slot]!;
      if (svg === this.shown[slot]) return;
      group.innerHTML = svg;
      this.shown[slot] = svg;
    });
  }

  /** Mark the parts that can be clicked, and those that have been. */
  mark(keys: Set<string>, picked: string[]): void {
    const areas: [string, Spot, number][] = [];
    for (const key of new Set([...keys, ...picked])) {
      const slot = this.welcome.keys.indexOf(key);
      const spot = this.welcome.areas[key] ?? this.areaOf(slot);
      if (spot) areas.push([key, spot, slot < 0 ? 0 : this.pictureOf(slot)]);
    }
    areas.sort(([, one], [, other]) => other[2]! * other[3]! - one[2]! * one[3]!);
    this.layers.forEach((layer, picture) => {
      const here = areas.filter(([, , at]) => at === picture);
      layer.replaceChildren(...here.flatMap(([key, spot]) => [frame(key, spot, keys, picked), ...times(spot, picked.filter((each) => each === key).length)]));
    });
  }

  /** Where a part is: what it shows now, or else its place. */
  private areaOf(slot: number): Spot | null {
    if (slot < 0) return null;
    const spot = this.welcome.spots[slot]!;
    if (spot.length === 4) return spot;
    const { x, y, width, height } = this.groups[slot]!.getBBox();
    return width ? [x - 3, y - 3, width + 6, height + 6] : null;
  }

  private onClick(event: MouseEvent, picture: SVGSVGElement, click: (key: string, isTarget: boolean) => void): void {
    const target = (event.target as Element).closest("[data-key]") ?? this.targetNear(event, picture);
    if (target) return click(target.getAttribute("data-key")!, target.classList.contains("target"));
    const matrix = picture.getScreenCTM();
    if (!matrix) return;
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    click(this.partAt(point, this.pictures.indexOf(picture as never)), false);
  }

  /** The target that a finger has just missed. */
  private targetNear(event: MouseEvent, picture: SVGSVGElement): Element | null {
    if ((event as PointerEvent).pointerType !== "touch") return null;
    let found: Element | null = null;
    let least = FINGER;
    picture.querySelectorAll(".target").forEach((target) => {
      const { left, right, top, bottom } = target.getBoundingClientRect();
      const across = Math.max(left - event.clientX, event.clientX - right, 0);
      const distance = Math.hypot(across, Math.max(top - event.clientY, event.clientY - bottom, 0));
      if (distance < least) [found, least] = [target, distance];
    });
    return found;
  }

  /** The key of the smallest part around a point; empty if there is none. */
  private partAt({ x, y }: DOMPoint, picture: number): string {
    let found = "";
    let least = Infinity;
    this.welcome.spots.forEach((spot, slot) => {
      if (spot.length !== 4 || this.pictureOf(slot) !== picture) return;
      const [left, top, width, height] = spot as [number, number, number, number];
      if (x < left || y < top || x > left + width || y > top + height || width * height >= least) return;
      [found, least] = [this.welcome.keys[slot]!, width * height];
    });
    return found;
  }
}

function frame(key: string, [x, y, width, height]: Spot, keys: Set<string>, picked: string[]): SVGRectElement {
  const rect = element("rect");
  const kind = [keys.has(key) ? "target" : "", picked.includes(key) ? "picked" : ""].join(" ").trim();
  setAll(rect, { x: x!, y: y!, width: width!, height: height!, rx: Math.min(12, width! / 4), "data-key": key, class: kind });
  return rect;
}

/** `×2` on a part that has been clicked several times. */
function times([x, y, width]: Spot, count: number): SVGTextElement[] {
  if (count < 2) return [];
  const text = element("text");
  setAll(text, { x: x! + width!, y: y! + 12, class: "times end" });
  text.textContent = `×${count}`;
  return [text];
}
