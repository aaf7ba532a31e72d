/** Ask the server; `token` is the owner's secret. Throws an Error with the server's sentence. */
export async function ask<T>(address: string, token = "", body?: unknown): Promise<T> {
  const headers: Record<string, string> = token ? { Authorization: `Bearer ${token}` } : {};
  const options: RequestInit = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
  let response: Response;
  try {
    response = await fetch(address, options);
  } catch {
    throw new Error("The server does not answer.");
  }
  const answer = (await response.json().catch(() => ({ error: response.statusText }))) as T & { error?: string };
  if (!response.ok) throw new Error(sentence(answer.error || "The server refused."));
  return answer;
}

/** A text of the server as a sentence. */
export function sentence(text: string): string {
  return text[0]!.toUpperCase() + text.slice(1) + (text.endsWith(".") ? "" : ".");
}
