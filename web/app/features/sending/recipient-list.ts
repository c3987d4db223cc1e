import { isEmailAddress } from "~/lib/email-address";
import type { Outcome, Recipient } from "./model";
import { isPhoneNumber, PHONE_IN_TEXT } from "./phone";

export type ListedRecipient = Pick<Recipient, "firstName" | "lastName" | "email" | "phone">;

export const MAX_RECIPIENTS = 100;

const ADDRESS_IN_TEXT = /[^\s,;<>"]+@[^\s,;<>"]+/;

/** These digits cannot be part of a name, so they are a phone number without its country code. */
const NUMBER_WITHOUT_COUNTRY = /\d[\d\s().\-/]{4,}\d/;

/**
 * Parses one recipient per line, as copied from a mail program or a spreadsheet. A line has a first name, a last name
 * and an address. If text messages are offered, it may also have a phone number.
 */
export function parseRecipientList(
  text: string,
  withPhoneNumbers = false,
): { recipients: ListedRecipient[]; invalidLines: string[] } {
  const lines = text
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
    .filter(Boolean);
  const recipientsByAddress = new Map<string, ListedRecipient>();
  const invalidLines: string[] = [];
  for (const line of lines) {
    const recipient = withPhoneNumbers ? parseLineWithNumber(line) : parseLine(line);
    if (recipient) recipientsByAddress.set(recipient.email.toLowerCase(), recipient);
    else invalidLines.push(line);
  }
  return { recipients: [...recipientsByAddress.values()], invalidLines };
}

function parseLineWithNumber(line: string): ListedRecipient | null {
  const phone = PHONE_IN_TEXT.exec(line)?.[0] ?? "";
  const lineWithoutPhone = line.replace(phone, " ");
  if (NUMBER_WITHOUT_COUNTRY.test(lineWithoutPhone)) return null;
  if (phone && !isPhoneNumber(phone)) return null;
  const recipient = parseLine(lineWithoutPhone);
  return recipient && phone ? { ...recipient, phone } : recipient;
}

function parseLine(line: string): ListedRecipient | null {
  const email = ADDRESS_IN_TEXT.exec(line)?.[0] ?? "";
  const [firstName, ...lastNames] = line
    .replace(email, " ")
    .replaceAll(/[,;<>"]/g, " ")
    .trim()
    .split(/\s+/);
  const lastName = lastNames.join(" ");
  return firstName && lastName && isEmailAddress(email) ? { firstName, lastName, email } : null;
}

export const countTexts = (recipients: ListedRecipient[]): number =>
  recipients.filter(({ phone }) => phone).length;

const peopleCount = (count: number): string => (count === 1 ? "1 person" : `${count} people`);

/** Summarises the outcomes after the last email. */
export function summaryToast(outcomes: Outcome[]) {
  const total = peopleCount(outcomes.length);
  const failed = outcomes.filter(({ result }) => result === "failed").length;
  if (failed > 0) return failureToast(`${failed} of ${total} could not be reached`);
  const failedTexts = outcomes.filter(({ text }) => text?.status === "failed").length;
  if (failedTexts > 0) return failureToast(`${failedTexts} of ${total} did not get the text message`);
  if (outcomes.some(({ result }) => result === "kept"))
    return {
      title: `Ready for ${total}, not mailed`,
      description: "No mail server is set up. The list below has each link.",
    };
  const isSent = outcomes.every(({ result }) => result === "sent");
  return { title: isSent ? `Sent to ${total}` : `On its way to ${total}` };
}

const failureToast = (title: string) => ({
  title,
  description: "The list below shows the reason and lets you send again.",
  destructive: true,
});

export function listHint(count: number, withPhoneNumbers: boolean): string {
  const fields = withPhoneNumbers
    ? "first name, last name, email, and a mobile number (+1 …) for those who also get a text message"
    : "first name, last name, email";
  return `One person a line: ${fields}. ${count} so far.`;
}

export function listProblem(
  count: number,
  invalidLines: string[],
  withPhoneNumbers: boolean,
): string | undefined {
  const numbers = withPhoneNumbers ? ", and each number its country (+1 …)" : "";
  if (invalidLines.length > 0)
    return `Please give each person a first name, a last name and an email${numbers}: ${invalidLines.slice(0, 3).join(" · ")}`;
  if (count === 0) return "Please name at least one person.";
  return count > MAX_RECIPIENTS ? `Please send to at most ${MAX_RECIPIENTS} people at once.` : undefined;
}

export const textCountSentence = (count: number): string =>
  `${count} text ${count === 1 ? "message" : "messages"} will be sent in addition to the emails`;
