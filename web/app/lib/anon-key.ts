/** Returns the public project key, which the server writes into every page. */
export function anonKey(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="cairn-anon-key"]')?.content ?? "";
}
