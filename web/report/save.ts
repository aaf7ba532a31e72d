import { make } from "../common/dom";

/** A button that saves the chart of a figure as an SVG file, in the colours that it has now. */
export function saveButton(figure: HTMLElement): HTMLButtonElement {
  const button = make("button", "Save as SVG");
  button.type = "button";
  button.className = "save";
  const title = figure.querySelector("figcaption")!.firstChild!.textContent ?? "chart";
  button.setAttribute("aria-label", `Save as SVG: ${title}`);
  button.addEventListener("click", () => {
    const link = make("a");
    link.href = URL.createObjectURL(new Blob([alone(figure.querySelector<SVGSVGElement>(".chart > svg")!, title)], { type: "image/svg+xml" }));
    link.download = `${title.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").slice(0, 60)}.svg`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  });
  return button;
}

/** The picture as a file of its own: colours instead of variables, a background, a title, and no links. */
function alone(drawn: SVGSVGElement, title: string): string {
  const style = getComputedStyle(document.documentElement);
  const copy = drawn.cloneNode(true) as SVGSVGElement;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("font-family", "system-ui, sans-serif");
  for (const link of copy.querySelectorAll("a")) link.replaceWith(...link.childNodes);
  const named = document.createElementNS("http://www.w3.org/2000/svg", "title");
  named.textContent = title;
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of [["width", "100%"], ["height", "100%"], ["fill", "var(--fa-card)"]]) ground.setAttribute(name!, value!);
  copy.prepend(named, ground);
  const text = new XMLSerializer().serializeToString(copy);
  return text.replace(/currentColor/g, "var(--fa-ink)").replace(/var\((--[\w-]+)\)/g, (whole, name: string) => style.getPropertyValue(name).trim() || whole);
}
