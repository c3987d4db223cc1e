/** The server also applies stricter rules (cairn/kit/email_address.py). Only a delivered email proves an address. */
export function isEmailAddress(text: string): boolean {
  return /^[^@\s]+@[^@\s]+$/.test(text.trim());
}
