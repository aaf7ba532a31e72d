const EDGE = 4; // user units: the frame of the first player reaches above its panel
const SVG = "http://www.w3.org/2000/svg";

/** How large a drawing is; the slots that are the board's, and how far down the players are. */
interface Extent {
  size: [width: number, height: number];
  split: [slots: number, below: number];
}

/** A board and its players: in their pictures a group for each slot, and above these one for the marks at changes. */
export class Drawing {
  /** The board, and below it or beside it the players with their hands. */
  readonly pictures = [element("svg"), element("svg")] as const;
  protected readonly description = element("desc");
  protected readonly groups: SVGGElement[];
  protected readonly marks: SVGGElement[];

  constructor(
    private readonly extent: Extent,
    slots: number,
  ) {
    const [[width, height], [, below]] = [extent.size, extent.split];
    const boxes = [`0 0 ${width} ${below - EDGE}`, `0 ${below - EDGE} ${width} ${height - below}`];
    this.pictures[0].append(this.description);
    this.pictures[1].setAttribute("aria-label", "The players and their hands");
    this.groups = Array.from({ length: slots }, (_, slot) => this.pictures[this.pictureOf(slot)].appendChild(element("g")));
    this.marks = this.pictures.map((picture, at) => {
      setAll(picture, { class: "fa-board", role: "img", viewBox: boxes[at]!, preserveAspectRatio: "xMidYMin" });
      return picture.appendChild(element("g"));
    });
  }

  protected pictureOf(slot: number): 0 | 1 {
    return slot < this.extent.split[0] ? 0 : 1;
  }
}

/** A new element of a picture. */
export function element<Name extends keyof SVGElementTagNameMap>(name: Name): SVGElementTagNameMap[Name] {
  return document.createElementNS(SVG, name);
}

export function setAll(target: Element, attributes: Record<string, string | number>): void {
  for (const [name, value] of Object.entries(attributes)) target.setAttribute(name, String(value));
}
