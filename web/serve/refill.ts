/** Fill a list anew if that changes it. The link or button that has the focus keeps it; if it goes, the heading gets it. */
export function refill(list: HTMLElement, items: HTMLElement[]): void {
  if (list.innerHTML === items.map((item) => item.outerHTML).join("")) return;
  if (list.querySelector(":active")) return; // a click that has begun would be lost
  const focused = list.contains(document.activeElement) && nameOf(document.activeElement!);
  list.replaceChildren(...items);
  if (!focused) return;
  const heading = list.closest("section")!.querySelector("h2")!;
  heading.tabIndex = -1;
  ([...list.querySelectorAll<HTMLElement>("a, button")].find((each) => nameOf(each) === focused) ?? heading).focus();
}

function nameOf(element: Element): string | null {
  return element.getAttribute("href") ?? element.getAttribute("aria-label");
}
