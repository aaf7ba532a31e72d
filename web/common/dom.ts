/** The element with this id. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element ${id}`);
  return element as T;
}

/** A new element with a text. */
export function make<Name extends keyof HTMLElementTagNameMap>(name: Name, text = ""): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}

/** An entry of a list. */
export function option(value: string, text: string): HTMLOptionElement {
  const element = make("option", text);
  element.value = value;
  return element;
}

/** Show a sentence in an element that is hidden while it has none; said again, it isn't read aloud again. */
export function say(element: HTMLElement, sentence: string): void {
  if (element.textContent !== sentence) element.textContent = sentence;
  element.hidden = !sentence;
}

/** Copy the text of a field, as after a click on its button, and say in `said` whether that worked. */
export function copyFrom(field: HTMLInputElement | HTMLTextAreaElement, said: Element): void {
  field.select();
  const isCopied = document.execCommand("copy"); // the clipboard's newer interface is closed to files and to plain http
  said.textContent = isCopied ? "Copied." : "Press Ctrl-C to copy.";
}
