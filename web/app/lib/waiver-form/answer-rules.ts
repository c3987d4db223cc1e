import { isBirthDate, isDate } from "./ages";
import { cleanLine, cleanText, lengthOf } from "./clean-text";
import type { Answer, Fields, Question } from "./types";

/** Returns null for everything that counts as no answer: null, and an empty text, list or object. */
export function givenAnswer<Given>(answer: Given): NonNullable<Given> | null {
  if (answer === null || answer === undefined) return null;
  if (typeof answer === "string") return cleanLine(answer) === "" ? null : answer;
  return typeof answer === "object" && Object.keys(answer).length === 0 ? null : answer;
}

/**
 * Returns the answer as the database stores it, or null if it is not a valid answer to this question. The examples in
 * tests/waivers/forms/cases.json check that cairn/waivers/sql/answers.sql has the same rules.
 */
export function cleanAnswer(question: Question, answer: unknown, today: string): Answer {
  switch (question.kind) {
    case "short_text":
      return cleanString(answer, 500);
    case "long_text":
      return typeof answer === "string" && lengthOf(answer) <= 4000 ? cleanText(answer) : null;
    case "email":
      return isEmailAddress(answer) ? cleanEmailAddress(answer) : null;
    case "phone":
      return isPhone(answer) ? cleanString(answer, 30) : null;
    case "date":
      return isDate(answer) ? answer : null;
    case "birth_date":
      return isBirthDate(answer, today) ? answer : null;
    case "number":
      return isNumber(answer) && answer >= (question.min ?? -1e12) && answer <= (question.max ?? 1e12)
        ? answer
        : null;
    case "yes_no":
      return typeof answer === "boolean" ? answer : null;
    case "agreement":
      return answer === true ? answer : null;
    case "one_of":
      return isOption(question, answer) ? answer : null;
    case "several_of":
      return areOptions(question, answer) ? answer : null;
    case "initials":
      return cleanInitials(answer);
    case "address":
      return cleanFields(answer, ["street", "city"], ["region", "postal_code", "country"]);
    case "emergency_contact":
      return isRecord(answer) && isPhone(answer.phone)
        ? cleanFields(answer, ["name", "phone"], ["relationship"])
        : null;
    case "photo":
      return isPhoto(answer) ? answer : null;
    default:
      return null;
  }
}

export function cleanString(value: unknown, maxLength: number): string | null {
  if (typeof value !== "string") return null;
  const cleaned = cleanLine(value);
  return cleaned && lengthOf(cleaned) <= maxLength ? cleaned : null;
}

function cleanEmailAddress(text: string): string {
  return cleanLine(text).normalize("NFKC").toLowerCase();
}

// Spaces, brackets, quotes, commas and the like, and invisible characters.
const NOT_IN_ADDRESS =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- these characters are refused
  /[\s()<>,;:"[\]\\\u0001-\u0020\u007F-\u00A0\u00AD\u034F\u061C\u115F\u1160\u1680\u17B4\u17B5\u180B-\u180F\u2000-\u200F\u2028-\u202F\u205F-\u206F\u2800\u3000-\u3002\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFF\u{E0000}-\u{E0FFF}]/u;

/** The same rule as cairn/db/sql/email_address.sql: the address of exactly one mailbox. */
function isEmailAddress(value: unknown): value is string {
  if (typeof value !== "string" || lengthOf(value) > 320 || !/.@./su.test(value)) return false;
  const address = cleanEmailAddress(value);
  return (
    lengthOf(address) <= 320 &&
    !address.includes("=?") &&
    !NOT_IN_ADDRESS.test(address) &&
    /^[^@]+@[^@.]+(\.[^@.]+)*$/u.test(address)
  );
}

function isPhone(value: unknown): value is string {
  return typeof value === "string" && /^ *\+?[0-9(][0-9 ()./-]{3,27}[0-9] *$/.test(value);
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Math.abs(value) <= 1e12 && decimalPlaces(value) <= 12;
}

/** JavaScript writes a small number as 1.5e-7, which has eight decimal places. */
function decimalPlaces(value: number): number {
  const [digits = "", exponent = "0"] = String(value).split("e");
  return Math.max(0, (digits.split(".")[1]?.length ?? 0) - Number(exponent));
}

function isOption({ options = [] }: Question, answer: unknown): answer is string {
  return options.some(({ value }) => value === answer);
}

function areOptions(question: Question, answers: unknown): answers is string[] {
  return (
    Array.isArray(answers) &&
    new Set(answers).size === answers.length &&
    answers.every((answer) => isOption(question, answer))
  );
}

/** Typed initials are a short text, and drawn initials are a data URL. */
export function cleanInitials(value: unknown): string | null {
  if (typeof value === "string" && value.startsWith("data:")) return isPhoto(value) ? value : null;
  return cleanString(value, 10);
}

function isPhoto(value: unknown): value is string {
  if (typeof value !== "string" || value.length < 80 || value.length > 300_000) return false;
  return /^data:image\/(png;base64,iVBORw0KGgo|jpeg;base64,\/9j\/)[A-Za-z0-9+/]+={0,2}$/.test(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Returns an object with the cleaned texts of the fields that are not empty. Returns null if a required field
 * is missing, or if a field is unknown or wrong.
 */
function cleanFields(value: unknown, required: string[], optional: string[]): Answer {
  if (!isRecord(value)) return null;
  const fields: Fields = {};
  for (const [name, entry] of Object.entries(value)) {
    if (!required.includes(name) && !optional.includes(name)) return null;
    if (givenAnswer(entry) === null) continue;
    const text = cleanString(entry, 200);
    if (text === null) return null;
    fields[name] = text;
  }
  return required.every((name) => name in fields) ? fields : null;
}
