/** The server applies the same rule. It is lenient, because only a delivered email proves an address. */
export function isEmailAddress(text: string): boolean {
  return /^[^@\s]+@[^@\s]+$/.test(text.trim());
}
