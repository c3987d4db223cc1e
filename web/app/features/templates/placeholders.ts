export const PLACEHOLDERS = [
  { label: "Participant name", text: "[PARTICIPANT NAME]" },
  { label: "Company name", text: "[COMPANY NAME]" },
] as const;

const KNOWN = new Set<string>(PLACEHOLDERS.map(({ text }) => text));
const PLACEHOLDER_LIKE = /\[[A-Za-z][A-Za-z _-]{2,40}\](?!\()/g;

/** Placeholders in the text that will not be filled in. */
export function unknownPlaceholders(content: string): string[] {
  return [...new Set(content.match(PLACEHOLDER_LIKE))].filter((found) => !KNOWN.has(found));
}
