import { canDecode, readData } from "../common/data";
import { byId, copyFrom, say } from "../common/dom";
import { chooseTheme } from "../common/theme";
import { draw } from "./charts";
import { saveButton } from "./save";
import type { Chart } from "./specs";
import { enhance } from "./tables";

const NARROWEST = 240;
/** In pixels: a window may be smaller than any page, as while it opens. */

/** Draw every chart as wide as the page. */
function drawAll(charts: Chart[]): void {
  for (const place of document.querySelectorAll<HTMLElement>(".chart")) {
    const chart = charts[Number(place.dataset["chart"])]!;
    if (chart.type === "bracket") makeScrollable(place, chart.title); // where a window is too narrow for its rounds
    place.replaceChildren(draw(chart, Math.max(NARROWEST, Math.floor(place.clientWidth))));
  }
}

function makeScrollable(place: HTMLElement, title: string): void {
  place.classList.add("wide");
  place.tabIndex = 0;
  place.setAttribute("role", "region");
  place.setAttribute("aria-label", title);
}

async function show(): Promise<void> {
  if (!canDecode()) {
    say(byId("notice"), "This browser is too old for the charts: use Chrome 80, Firefox 113, Safari 16.4 or newer. The tables have the same numbers.");
    return;
  }
  const charts = await readData<Chart[]>("data");
  drawAll(charts);
  document.querySelectorAll<HTMLElement>("figure").forEach((figure) => figure.querySelector("figcaption")!.append(saveButton(figure)));
  document.documentElement.dataset["drawn"] = "";
  let width = window.innerWidth;
  window.addEventListener("resize", () => {
    if (window.innerWidth === width) return; // a phone's address bar changes the height alone
    width = window.innerWidth;
    drawAll(charts);
  });
}

chooseTheme(); // for the pages of its games too
document.querySelectorAll("table").forEach(enhance);
document.querySelectorAll<HTMLButtonElement>("[data-copy]").forEach((button) => {
  button.addEventListener("click", () => copyFrom(byId<HTMLTextAreaElement>(button.dataset["copy"]!), button.nextElementSibling!));
});
show().catch((error: Error) => say(byId("notice"), `This page is damaged: ${error.message}. Write it again with fa report.`));
