import { byId, say } from "../common/dom";

/** Shows on a click or tap what hovering shows: the title of the piece that was clicked, beside it. */
export function showTips(): void {
  const tip = byId("tip");
  document.addEventListener("click", (event) => {
    say(tip, titleOf(event.target as Element));
    tip.style.left = `${Math.max(4, Math.min(event.clientX, innerWidth - tip.offsetWidth - 4))}px`;
    tip.style.top = `${Math.max(4, event.clientY - tip.offsetHeight - 12)}px`;
  });
}

function titleOf(element: Element): string {
  for (let part = element.closest("g"); part; part = part.parentElement?.closest("g") ?? null) {
    const title = part.querySelector(":scope > title");
    if (title) return title.textContent ?? "";
  }
  return "";
}
