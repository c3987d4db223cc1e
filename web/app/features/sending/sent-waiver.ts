import type { SentWaiverRow, SessionRow } from "~/lib/database";
import { greeting } from "./greeting";
import { composeEmail } from "./model";

export type SentRow = Omit<SentWaiverRow, "company_id">;

/** The session is null only if it could not be read. */
export type SentWaiver = SentRow & { session: Pick<SessionRow, "status" | "expires_at"> | null };

/**
 * Sending takes seconds. If the status is still `sending` after this time, the browser was closed before it requested
 * the email.
 */
const SEND_TIMEOUT_MS = 120_000;

export const isEmailSending = (waiver: SentWaiver, now: Date): boolean =>
  waiver.email_status === "sending" && now.getTime() - new Date(waiver.sent_at).getTime() < SEND_TIMEOUT_MS;

export const isTextSending = (waiver: SentWaiver, now: Date): boolean =>
  waiver.text_status === "sending" && now.getTime() - new Date(waiver.sent_at).getTime() < SEND_TIMEOUT_MS;

/** A guest who received the text message but not the email does not get the text message again. */
export const shouldTextAgain = (waiver: SentRow): boolean =>
  Boolean(waiver.recipient_phone) &&
  !(waiver.text_status === "delivered" && waiver.email_status === "failed");

export type SentWaiverState = "signed" | "cancelled" | "expired" | SentRow["email_status"] | "notMailed";

/** Returns the state of the session if the guest can no longer sign it, otherwise that of the email. */
export function sentWaiverState(waiver: SentWaiver, now: Date): SentWaiverState {
  if (waiver.session?.status === "signed") return "signed";
  if (waiver.session?.status === "cancelled") return "cancelled";
  if (waiver.session?.expires_at && new Date(waiver.session.expires_at) <= now) return "expired";
  if (waiver.email_status === "sending" && !isEmailSending(waiver, now)) return "notMailed";
  return waiver.email_status;
}

const NOT_RESENDABLE: SentWaiverState[] = ["signed", "cancelled", "sending"];

export const canSendAgain = (waiver: SentWaiver, now: Date): boolean =>
  !NOT_RESENDABLE.includes(sentWaiverState(waiver, now));

/** The link of a cancelled waiver does not work. An expired waiver gets a new link when it is sent again. */
export const hasLink = (state: SentWaiverState): boolean => state !== "cancelled" && state !== "expired";

export type Email = { to: string; subject: string; body: string };

/** The recipient of an email and the session to which its link leads. */
export type Addressee = { sessionId: string; name: string; email: string };

/** Returns the first email. If there was none, composes one without a personal message. */
export function emailToSendAgain(waiver: SentRow, firstEmail: Email | undefined, link: string): Email {
  if (firstEmail) return firstEmail;
  const template = { id: waiver.template_id, name: waiver.template_name, content: waiver.template_content };
  const recipient = {
    firstName: waiver.recipient_name,
    lastName: "",
    email: waiver.recipient_email,
    message: "",
    asPdf: waiver.sent_as_pdf,
  };
  return { to: waiver.recipient_email, ...composeEmail(template, recipient, link) };
}

/**
 * Returns the same email, with its personal message, for another link and possibly another recipient. If the
 * email begins with a greeting, the greeting names the new recipient. Up to version 0.1, it was "Hello" with
 * the full name.
 */
export function readdressed(email: Email, from: Addressee, to: Addressee): Email {
  const [firstParagraph = "", ...paragraphs] = email.body
    .replaceAll(from.sessionId, to.sessionId)
    .split("\n\n");
  const isGreeting = [greeting(from.name), `Hello ${from.name},`].includes(firstParagraph);
  const body = [isGreeting ? greeting(to.name) : firstParagraph, ...paragraphs].join("\n\n");
  return { to: to.email, subject: email.subject, body };
}
