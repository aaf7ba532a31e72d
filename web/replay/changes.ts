/** How a change of a slot is marked, as `Spot` in fa_cli/viewer/drawing/document.py describes it. */
export type Spot = number[];

/** A slot that shows something else than one decision before. */
export interface Change {
  spot: Spot;
  before: string;
  after: string;
}

/** The marks at what has changed, as SVG: the same ones as `changes` in fa_cli/viewer/drawing/document.py draws. */
export function marksOf(changes: Change[]): string {
  const frames = changes.map((change) => change.spot).filter((spot) => spot.length === 4);
  return [
    ...frames.filter((frame) => !frames.some((other) => other !== frame && isInside(frame, other))).map(frame),
    ...changes.map(({ spot, before, after }) => {
      if (spot.length === 2) return gain(spot, before, after);
      return spot.length === 1 ? arrow(spot[0]!, before, after) : "";
    }),
  ].join("");
}

function isInside([x, y, width, height]: Spot, [left, top, most, highest]: Spot): boolean {
  return left! <= x! && top! <= y! && x! + width! <= left! + most! && y! + height! <= top! + highest!;
}

function outlined(element: string): string {
  return `<${element} class="halo"/><${element} class="change"/>`;
}

function frame([x, y, width, height]: Spot): string {
  return outlined(`rect x="${x}" y="${y}" width="${width}" height="${height}" rx="7"`);
}

/** `+3` beside a number. */
function gain([x, y]: Spot, before: string, after: string): string {
  const [from, to] = [before, after].map((svg) => Number(/data-points="(-?\d+)"/.exec(svg)?.[1] ?? 0)) as [number, number];
  return `<text x="${x}" y="${y}" class="gain end">${to < from ? "" : "+"}${to - from}</text>`;
}

/** An arrow to where a piece moved; it begins and ends a radius away from the places. */
function arrow(radius: number, before: string, after: string): string {
  const [[x, y], [toX, toY]] = [before, after].map(placeOf) as [[number, number], [number, number]];
  const direction = Math.atan2(toY - y, toX - x);
  const at = (distance: number, turn: number, left: number, top: number): string =>
    `${(left + distance * Math.cos(direction + turn)).toFixed(1)} ${(top + distance * Math.sin(direction + turn)).toFixed(1)}`;
  const end = at(-radius, 0, toX, toY);
  const [endX, endY] = end.split(" ").map(Number) as [number, number];
  const barbs = [28, -28].map((turn) => `M${at(-16, (turn * Math.PI) / 180, endX, endY)}L${end}`);
  return outlined(`path d="M${at(radius, 0, x, y)}L${end}${barbs.join("")}"`);
}

function placeOf(svg: string): [number, number] {
  const found = /data-at="(\S+) (\S+)"/.exec(svg);
  return [Number(found?.[1] ?? 0), Number(found?.[2] ?? 0)];
}
