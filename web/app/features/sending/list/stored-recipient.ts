/**
 * The database cleans names and addresses before it stores them (cairn/db/sql/clean_text.sql and email_address.sql).
 * The preview of a list cleans them in the same way, so that it shows what will be stored. The examples in
 * tests/waivers/recipients.json are checked on both sides.
 */

/** A text with one @ and no spaces. Whether it is a valid address is checked by `addressProblem`. */
export const ADDRESS = /^[^\s@]+@[^\s@]+$/;

const MAX_NAME_CHARACTERS = 400;
const MAX_ADDRESS_CHARACTERS = 320;
/** Texts that are longer than this are refused anyway, so the rest is not cleaned. */
const CLEANED_CHARACTERS = 1000;

const WHITE_SPACE = /[ \t\r\n\v\f\u{85}\u{2028}\u{2029}]+/gu;
const FORBIDDEN =
  /[\p{Cc}\u{202A}-\u{202E}\u{2066}-\u{2069}\u{FEFF}\u{FFF9}-\u{FFFB}\p{Noncharacter_Code_Point}]/gu;
const INVISIBLE =
  " \u{A0}\u{AD}\u{34F}\u{115F}\u{1160}\u{17B4}\u{17B5}\u{180E}\u{200B}\u{200C}\u{200D}\u{200E}\u{200F}\u{2060}\u{2061}\u{2062}\u{2063}\u{2064}\u{2800}\u{3000}\u{3164}\u{FFA0}";

/** Returns the text in one line, without characters that no one types and without invisible ones at its ends. */
export function cleanLine(text: string): string {
  const line = text
    .slice(0, CLEANED_CHARACTERS)
    .replaceAll(WHITE_SPACE, " ")
    .replaceAll(FORBIDDEN, "")
    .replaceAll(/ +/g, " ");
  let start = 0;
  let end = line.length;
  while (start < end && INVISIBLE.includes(line.charAt(start))) start += 1;
  while (end > start && INVISIBLE.includes(line.charAt(end - 1))) end -= 1;
  return line.slice(start, end);
}

export function cleanAddress(text: string): string {
  return cleanLine(cleanLine(text).normalize("NFKC").toLowerCase());
}

/** A part after the comma that is no first name, as in "Gil Moreau, Jr." */
const NAME_SUFFIX = /^(?:jr|sr|i{2,3}|iv|md|phd|esq|dds|rn)\.?$/i;

/** Spreadsheets often have "Moreau, Gil". The waiver names the person as people do: "Gil Moreau". */
export function inSpokenOrder(name: string): string {
  const [last = "", first = "", ...more] = name.split(",").map((part) => part.trim());
  if (!last || !first || more.length > 0 || NAME_SUFFIX.test(first)) return name;
  return `${first} ${last}`;
}

export function nameProblem(name: string): string | undefined {
  if (name === "") return "The name is missing.";
  return [...name].length > MAX_NAME_CHARACTERS ? "The name is longer than 400 characters." : undefined;
}

/** The characters that cairn.is_one_address refuses, except those that cleaning has already removed. */
const SPECIAL = /[\s()<>,;:"[\]\\\u{2800}\u{3001}\u{3002}\u{FFFC}\u{FFFD}\p{Default_Ignorable_Code_Point}]/u;

/** Says what is wrong with a cleaned address. The server has the last word about unusual ones. */
export function addressProblem(address: string): string | undefined {
  if (address === "") return "The email address is missing.";
  const parts = address.split("@");
  const [mailbox = "", domain = ""] = parts;
  if (parts.length > 2) return "There are two @ signs. Please enter one email address.";
  if (parts.length < 2) return "The @ sign is missing.";
  if (mailbox === "") return "The part before the @ sign is missing.";
  if (domain === "") return "The part after the @ sign is missing.";
  if (/\s/.test(address)) return "There is a space in the email address.";
  if (SPECIAL.test(address) || address.includes("=?"))
    return "Please enter one email address, without brackets, quotes or commas.";
  if (!domain.includes(".")) return `The ending is missing, such as ".com".`;
  if ([mailbox, domain].some((part) => part.startsWith(".") || part.endsWith(".") || part.includes("..")))
    return "There is a dot too many.";
  if (
    domain
      .split(".")
      .some((label) => !/^[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u.test(label))
  )
    return "There is a character after the @ sign that no address has there.";
  return address.length > MAX_ADDRESS_CHARACTERS ? "The email address is too long." : undefined;
}
