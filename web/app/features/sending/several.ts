import { isAddress, type Outcome, type Recipient } from "./model";

export type Listed = Pick<Recipient, "firstName" | "lastName" | "email">;

export const MOST_AT_ONCE = 100;

const ADDRESS = /[^\s,;<>"]+@[^\s,;<>"]+/;

/** One person a line, as lists come out of a mail program or a spreadsheet: first name, last name, address. */
export function readList(text: string): { recipients: Listed[]; wrong: string[] } {
  const lines = text
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
    .filter(Boolean);
  const read = lines.map((line) => ({ line, person: readLine(line) }));
  const byAddress = new Map(read.map(({ person }) => [person?.email.toLowerCase(), person]));
  return {
    recipients: [...byAddress.values()].filter((person) => person !== null && person !== undefined),
    wrong: read.filter(({ person }) => !person).map(({ line }) => line),
  };
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
