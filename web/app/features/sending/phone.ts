export const INVALID_PHONE = "Please write the number with its country, such as +1 212 555 0123.";

/** Checks for a country code and a plausible number of digits. The server knows the rules of each country. */
export function isPhoneNumber(text: string): boolean {
  const digits = text
    .trim()
    .replace(/^00/, "+")
    .replaceAll(/[\s().\-/]/g, "");
  return /^\+[1-9]\d{6,15}$/.test(digits);
}
