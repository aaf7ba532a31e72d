/** By the beginning of a key: what a part of the drawing is called. */
const NAMES: Record<string, string> = {
  chosen: "a block",
  commissioner: "a commissioner",
  district: "a district",
  hand: "a card",
  place: "a district",
  plot: "a space",
  seat: "a colour",
  site: "a site",
  stack: "a stack of cards",
  stone: "a building",
  supply: "a block",
};

/** What to click next, in a sentence: `Chosen: a card. Now click a block or a site, or a button.` */
export function hint(keys: Iterable<string>, hasButtons: boolean, clicked: string[]): string {
  const parts = [...namesOf(keys), ...(hasButtons ? ["a button"] : [])];
  if (!parts.length) return "";
  const chosen = clicked.map((key) => NAMES[kind(key)] ?? key.replace("word:", ""));
  const wanted = `lick ${listed(parts)}.`;
  return chosen.length ? `Chosen: ${chosen.join(", ")}. Now c${wanted}` : `C${wanted}`;
}

function namesOf(keys: Iterable<string>): string[] {
  return [...new Set([...keys].map((key) => NAMES[kind(key)]!))].sort();
}

function kind(key: string): string {
  return key.split(".")[0]!;
}

function listed(words: string[]): string {
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} or ${words[words.length - 1]}` : words[0]!;
}
