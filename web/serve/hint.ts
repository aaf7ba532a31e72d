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

/** What to choose next, in a sentence: `Chosen: a red 3. Now choose a card or a site.` */
export function hint(keys: Iterable<string>, hasButtons: boolean, clicked: string[]): string {
  const parts = [...namesOf(keys), ...(hasButtons ? ["a button"] : [])];
  if (!parts.length) return "";
  const chosen = clicked.map(exactly);
  const wanted = `hoose ${listed(parts)}.`;
  return chosen.length ? `Chosen: ${chosen.join(", ")}. Now c${wanted}` : `C${wanted}`;
}

/** Which part was chosen: `a red 3`, `district TS`, `Cairo site 5`. */
function exactly(key: string): string {
  const [part, one = "", other = ""] = key.replace(/([a-z])([A-Z])/g, "$1 $2").split(".");
  switch (part) {
    case "chosen":
    case "supply":
      return `a ${one} ${other}`;
    case "commissioner":
      return `the ${one} commissioner`;
    case "district":
    case "place":
      return one;
    case "plot":
      return `${one} ${other}`;
    case "hand":
      return other.includes(" ") ? other.replace("*", "joker") : NAMES.hand!;
    case "site":
      return `${one} site ${other}`;
    case "stack":
      return `the ${one} stack`;
    case "stone":
      return one;
  }
  return NAMES[part!] ?? key.replace("word:", "");
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
