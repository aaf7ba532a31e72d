import { byId } from "./dom";

/** Remember what a list has selected from page to page, where the browser allows it. */
export function keep(id: string): void {
  const select = byId<HTMLSelectElement>(id);
  select.addEventListener("change", () => remember(id, select.value));
  const value = recall(id);
  if (![...select.options].some((option) => option.value === value)) return;
  select.value = value!;
  select.dispatchEvent(new Event("change"));
}

/** Remember a text under a name, where the browser allows it: a page in a sandbox has no storage. */
export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(`fa-${name}`, value);
  } catch {
    // then nothing is kept
  }
}

/** What was remembered under a name; null if nothing was. */
export function recall(name: string): string | null {
  try {
    return localStorage.getItem(`fa-${name}`);
  } catch {
    return null;
  }
}

/** The name under which the secret of my seat at a table is kept. */
export function seatOf(table: number | string): string {
  return `seat-${table}`;
}

/** Keep a secret until the tab is closed, where the browser allows it. */
export function keepForTab(name: string, secret: string): void {
  try {
    sessionStorage.setItem(`fa-${name}`, secret);
  } catch {
    // then nothing is kept
  }
}

/** What is kept so under a name; empty if nothing is. */
export function kept(name: string): string {
  try {
    return sessionStorage.getItem(`fa-${name}`) ?? "";
  } catch {
    return "";
  }
}
