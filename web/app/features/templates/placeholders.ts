export const PLACEHOLDERS = [
  { label: "Participant name", text: "[PARTICIPANT NAME]" },
  { label: "Company name", text: "[COMPANY NAME]" },
] as const;

/** If the template has a form, guests put their initials at each place of the text that has this placeholder. */
export const INITIALS = "[INITIALS]";

const KNOWN_PLACEHOLDERS = new Set<string>(PLACEHOLDERS.map(({ text }) => text));
/** Matches a name in brackets. A parenthesis must not follow, because that is how a link is written. */
const PLACEHOLDER_LIKE = /\[[A-Za-z][A-Za-z _-]{2,40}\](?!\()/g;

/** Returns the texts in brackets that look like placeholders but will not be filled in. */
export function unknownPlaceholders(content: string, asksForInitials = false): string[] {
  const names = [...new Set(content.match(PLACEHOLDER_LIKE))].filter((name) => !KNOWN_PLACEHOLDERS.has(name));
  return asksForInitials ? names.filter((name) => name !== INITIALS) : names;
}
