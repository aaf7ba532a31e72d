import { byId } from "../common/dom";
import { keep } from "../common/kept";

/** Let the reader choose the colours, and remember them. */
export function chooseTheme(): void {
  const theme = byId<HTMLSelectElement>("theme");
  const show = (): void => {
    document.documentElement.dataset.theme = theme.value;
  };
  theme.addEventListener("change", show);
  keep("theme");
  show();
}
