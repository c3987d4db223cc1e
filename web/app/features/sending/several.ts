import { isAddress, type Outcome, type Recipient } from "./model";
import { isNumber, PHONE } from "./phone";

export type Listed = Pick<Recipient, "firstName" | "lastName" | "email" | "phone">;

export const MOST_AT_ONCE = 100;

const ADDRESS = /[^\s,;<>"]+@[^\s,;<>"]+/;

/** Digits that belong to no name: a number without its country. */
const LOOSE_NUMBER = /\d[\d\s().\-/]{4,}\d/;

/** One person a line, as lists come out of a mail program or a spreadsheet: first name, last name, address, and a
 * telephone number where those are of use. */
export function readList(text: string, withNumbers = false): { recipients: Listed[]; wrong: string[] } {
  const lines = text
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
    .filter(Boolean);
  const read = lines.map((line) => ({ line, person: (withNumbers ? readWithNumber : readLine)(line) }));
  const byAddress = new Map(read.map(({ person }) => [person?.email.toLowerCase(), person]));
  return {
    recipients: [...byAddress.values()].filter((person) => person !== null && person !== undefined),
    wrong: read.filter(({ person }) => !person).map(({ line }) => line),
  };
}

function readWithNumber(line: string): Listed | null {
  const phone = PHONE.exec(line)?.[0] ?? "";
  const rest = line.replace(phone, " ");
  const person = LOOSE_NUMBER.test(rest) || (phone && !isNumber(phone)) ? null : readLine(rest);
  return person && phone ? { ...person, phone } : person;
}

function readLine(line: string): Listed | null {
  const email = ADDRESS.exec(line)?.[0] ?? "";
  const [firstName, ...others] = line
    .replace(email, " ")
    .replaceAll(/[,;<>"]/g, " ")
    .trim()
    .split(/\s+/);
  const lastName = others.join(" ");
  return firstName && lastName && isAddress(email) ? { firstName, lastName, email } : null;
}

export const textsAmong = (recipients: Listed[]): number => recipients.filter(({ phone }) => phone).length;

const people = (count: number): string => (count === 1 ? "1 person" : `${count} people`);

/** What is said when all have been tried. */
export function summary(outcomes: Outcome[]) {
  const failed = outcomes.filter(({ result }) => result === "failed").length;
  if (failed > 0)
    return {
      title: `${failed} of ${people(outcomes.length)} could not be reached`,
      description: "The list below tells why, and sends again.",
      destructive: true,
    };
  const untexted = outcomes.filter(({ text }) => text?.status === "failed").length;
  if (untexted > 0)
    return {
      title: `${untexted} of ${people(outcomes.length)} did not get the text message`,
      description: "The list below tells why, and sends again.",
      destructive: true,
    };
  if (outcomes.some(({ result }) => result === "kept"))
    return {
      title: `Ready for ${people(outcomes.length)}, not mailed`,
      description: "No mail server is set up. The list below has each link.",
    };
  const isSent = outcomes.every(({ result }) => result === "sent");
  return {
    title: isSent ? `Sent to ${people(outcomes.length)}` : `On its way to ${people(outcomes.length)}`,
  };
}

export function hintFor(count: number, withNumbers: boolean): string {
  const what = withNumbers
    ? "first name, last name, email, and a mobile number (+1 …) for those who also get a text message"
    : "first name, last name, email";
  return `One person a line: ${what}. ${count} so far.`;
}

export function problemWith(count: number, wrong: string[], withNumbers: boolean): string | undefined {
  const numbers = withNumbers ? ", and each number its country (+1 …)" : "";
  if (wrong.length > 0)
    return `Please give each person a first name, a last name and an email${numbers}: ${wrong.slice(0, 3).join(" · ")}`;
  if (count === 0) return "Please name at least one person.";
  return count > MOST_AT_ONCE ? `Please send to at most ${MOST_AT_ONCE} people at once.` : undefined;
}

/** "12 text messages go out beside the emails". */
export const inMessages = (count: number): string =>
  `${count} text ${count === 1 ? "message goes" : "messages go"} out beside the emails`;
