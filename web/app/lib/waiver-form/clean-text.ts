/** Cleans entered text like cairn/db/sql/clean_text.sql, so that browser and database get the same text. */

const LINE_BREAKS = /[\v\f\u0085\u2028\u2029]/g;
// The last two code points of each plane are not characters.
const UNWANTED =
  // oxlint-disable-next-line no-control-regex -- control characters are what is removed
  /[\u0001-\u0008\u000E-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069\uFDD0-\uFDEF\uFEFF\uFFF9-\uFFFB]|\p{Noncharacter_Code_Point}/gu;
const INVISIBLE =
  " \\u00A0\\u00AD\\u034F\\u115F\\u1160\\u17B4\\u17B5\\u180E\\u200B-\\u200F\\u2060-\\u2064\\u2800\\u3000\\u3164\\uFFA0";
const INVISIBLE_ENDS = new RegExp(`^[${INVISIBLE}]+|[${INVISIBLE}]+$`, "gu");

export function cleanText(text: string): string {
  return text.replace(LINE_BREAKS, "\n").replace(UNWANTED, "");
}

/** Returns an empty string for a text that consists only of invisible characters. */
export function cleanLine(text: string): string {
  return cleanText(text)
    .replace(/[ \t\r\n]*[\t\r\n][ \t\r\n]*/g, " ")
    .replace(INVISIBLE_ENDS, "");
}

/** Counts characters as the database does. The `length` of a text counts an emoji twice. */
export function lengthOf(text: string): number {
  return [...text].length;
}
