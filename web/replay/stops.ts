import { type Game, positionsOf } from "./data";

/** By what the buttons step and the game plays. */
export const UNITS = ["decision", "turn", "round"] as const;
export type Unit = (typeof UNITS)[number];

/** The positions at which steps of a unit end, rising; from the deal to the end. Empty if the game does not count them. */
export function stopsOf(game: Game, unit: Unit): number[] {
  const positions = [...Array(positionsOf(game)).keys()];
  if (unit === "decision") return positions;
  const counts = unit === "turn" ? game.turns : game.rounds;
  if (!counts.some(Boolean)) return [];
  return positions.filter((position) => position === 0 || counts[position] !== counts[position + 1]);
}
