import { byId } from "../common/dom";

/** Remember what a list has selected from page to page, where the browser allows it. */
export function keep(id: string): void {
  const select = byId<HTMLSelectElement>(id);
  select.addEventListener("change", () => attempt(() => localStorage.setItem(`fa-${id}`, select.value)));
  attempt(() => {
    const value = localStorage.getItem(`fa-${id}`);
    if (![...select.options].some((option) => option.value === value)) return;
    select.value = value!;
    select.dispatchEvent(new Event("change"));
  });
}

/** Do what may be forbidden: a page in a sandbox has no storage. */
function attempt(act: () => void): void {
  try {
    act();
  } catch {
    // then nothing is kept
  }
}
