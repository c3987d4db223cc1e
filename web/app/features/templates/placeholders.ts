export const PLACEHOLDERS = [
  { label: "Participant name", text: "[PARTICIPANT NAME]" },
  { label: "Company name", text: "[COMPANY NAME]" },
] as const;

const KNOWN = new Set<string>(PLACEHOLDERS.map(({ text }) => text));
const LOOKS_LIKE_ONE = /\[[A-Za-z][A-Za-z _-]{2,40}\](?!\()/g;

/** Those that look as if they would be filled in, and will not be. */
export function unknownPlaceholders(content: string): string[] {
  return [...new Set(content.match(LOOKS_LIKE_ONE))].filter((found) => !KNOWN.has(found));
}
