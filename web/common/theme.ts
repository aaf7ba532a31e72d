import { byId } from "./dom";
import { keep } from "./kept";

/** Let the reader choose the colours, and remember them; paper is light. */
export function chooseTheme(): void {
  const theme = byId<HTMLSelectElement>("theme");
  const paint = (value: string): void => {
    document.documentElement.dataset["theme"] = value;
  };
  const show = (): void => paint(theme.value);
  theme.addEventListener("change", show);
  window.addEventListener("beforeprint", () => paint("light")); // printers leave the dark background out
  window.addEventListener("afterprint", show);
  keep("theme");
  show();
}
