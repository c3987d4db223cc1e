/** The same rule as on the server. It is lenient because only a delivered email proves an address. */
export function isEmailAddress(text: string): boolean {
  return /^[^@\s]+@[^@\s]+$/.test(text.trim());
}
