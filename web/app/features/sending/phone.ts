export const NO_NUMBER = "Please write the number with its country, such as +1 212 555 0123.";

/** As a list holds it: from its plus sign to its last digit. */
export const PHONE = /\+\s?[1-9][\d\s().\-/]{5,24}\d/;

/** Whether a country comes first and the digits are as many as a number has; what each country allows the server knows. */
export function isNumber(written: string): boolean {
  const digits = written
    .trim()
    .replace(/^00/, "+")
    .replaceAll(/[\s().\-/]/g, "");
  return /^\+[1-9]\d{6,15}$/.test(digits);
}
