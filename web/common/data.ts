/** Whether this browser can decode the data of the page. */
export function canDecode(): boolean {
  return typeof DecompressionStream === "function";
}

/** The JSON of a data element that `html_page` wrote: gzip as base64. */
export async function readData<T>(id: string): Promise<T> {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no data ${id}`);
  const bytes = Uint8Array.from(atob(element.textContent ?? ""), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return (await new Response(stream).json()) as T;
}
