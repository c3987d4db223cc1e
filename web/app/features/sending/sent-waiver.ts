import type { SentWaiverRow, SessionRow } from "~/lib/database";
import { composeEmail } from "./model";

export type SentRow = Omit<SentWaiverRow, "company_id">;

/** A sent waiver with its session, which is null only if the session could not be read. */
export type SentWaiver = SentRow & { session: Pick<SessionRow, "status" | "expires_at"> | null };

/** Sending takes seconds. If it takes longer than this, the browser was closed before it requested the email. */
const SEND_TIMEOUT_MS = 120_000;

export const isEmailSending = (sent: SentWaiver, now: Date): boolean =>
  sent.email_status === "sending" && now.getTime() - new Date(sent.sent_at).getTime() < SEND_TIMEOUT_MS;

export const isTextSending = (sent: SentWaiver, now: Date): boolean =>
  sent.text_status === "sending" && now.getTime() - new Date(sent.sent_at).getTime() < SEND_TIMEOUT_MS;

/** A guest who received the text message but not the email does not get the text message again. */
export const shouldTextAgain = (sent: SentRow): boolean =>
  Boolean(sent.recipient_phone) && !(sent.text_status === "delivered" && sent.email_status === "failed");

export type DeliveryState = "signed" | "expired" | SentRow["email_status"] | "unsent";

/** Returns the state of the session if the guest has signed or the link has expired, otherwise that of the email. */
export function deliveryState(sent: SentWaiver, now: Date): DeliveryState {
  if (sent.session?.status === "signed") return "signed";
  if (sent.session?.expires_at && new Date(sent.session.expires_at) <= now) return "expired";
  if (sent.email_status === "sending" && !isEmailSending(sent, now)) return "unsent";
  return sent.email_status;
}

const NOT_RESENDABLE: DeliveryState[] = ["signed", "expired", "sending"];

export const canSendAgain = (sent: SentWaiver, now: Date): boolean =>
  !NOT_RESENDABLE.includes(deliveryState(sent, now));

export type Email = { to: string; subject: string; body: string };

/** Returns the first email. If there was none, composes one without a personal message. */
export function emailToSendAgain(sent: SentRow, firstEmail: Email | undefined, link: string): Email {
  if (firstEmail) return firstEmail;
  const template = { id: sent.template_id, name: sent.template_name, content: sent.template_content };
  const recipient = {
    firstName: sent.recipient_name,
    lastName: "",
    email: sent.recipient_email,
    message: "",
    asPdf: sent.sent_as_pdf,
  };
  return { to: sent.recipient_email, ...composeEmail(template, recipient, link) };
}
