/**
 * Flags can be about health, so the copy of the list on the device only says that there are some. Leaving them out
 * without a word would be dangerous.
 */
export const withoutFlags = (list: unknown): unknown =>
  JSON.parse(
    JSON.stringify(list, (name, value: unknown) =>
      name === "flags" && Array.isArray(value) && value.length > 0 ? ["Flagged, see online"] : value,
    ),
  );

/**
 * Returns for example "with ", "Mia", " and ", "Leo". Minors who have the last name of the signer are called by their
 * first names.
 */
export function minorsText(minors: string[], signer: string): string[] {
  const [, lastName = "\n"] = /\S(\s\S+)$/.exec(signer) ?? [];
  const names = minors.map((minor) => (minor.endsWith(lastName) ? minor.slice(0, -lastName.length) : minor));
  return ["with ", ...new Intl.ListFormat("en").formatToParts(names).map(({ value }) => value)];
}
