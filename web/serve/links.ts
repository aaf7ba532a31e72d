import { copyFrom, make } from "../common/dom";
import { keepForTab, kept } from "../common/kept";

/** Whom a link of a table is for, and its address. */
export type Link = [who: string, address: string];

/** Keep the links that the opener of a table may pass on; `token` is the secret of the opener's own. */
export function keepLinks(token: string, links: Link[]): void {
  keepForTab(`links-${token}`, JSON.stringify(links));
}

/** The links kept; none for who has not opened the table. */
export function keptLinks(token: string): Link[] {
  return JSON.parse(kept(`links-${token}`) || "[]") as Link[];
}

export function linkLines(links: Link[]): HTMLLIElement[] {
  return links.map(linkLine);
}

function linkLine([who, link]: Link): HTMLLIElement {
  const item = make("li");
  const field = make("input");
  field.value = link;
  field.readOnly = true;
  field.setAttribute("aria-label", `Link: ${who}`);
  const copy = make("button", "Copy");
  copy.type = "button";
  copy.setAttribute("aria-label", `Copy the link: ${who}`);
  const said = make("span");
  said.setAttribute("role", "status");
  copy.addEventListener("click", () => copyFrom(field, said));
  item.append(make("span", who), field, copy, said);
  return item;
}
