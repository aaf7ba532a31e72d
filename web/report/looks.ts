/** What all charts share: type and colours. */
export const FONT = 13;
export const TONES = 8;
export const SOFT = "var(--fa-soft)";
export const INK = "var(--fa-ink)";
export const PAPER = "var(--fa-card)";
export const DASHES = ["", "7 3", "2 3", "9 3 2 3"];
/** With the tones these make lines that differ without colour too. */

export const tone = (number: number): string => `var(--tone-${number % TONES})`;
export const shorter = (name: string, most: number): string => (name.length > most ? `${name.slice(0, most - 1)}…` : name);
