import type { SentWaiverRow, SessionRow } from "~/lib/database";
import { letter } from "./model";

/** A sending and the session it is about; no session only while that could not be read. */
export type Sent = SentWaiverRow & { session: Pick<SessionRow, "status" | "expires_at"> | null };

/** A mail takes seconds. One that is silent for longer was never asked for: the browser was closed in between. */
const PATIENCE = 120_000;

export const isOnItsWay = (sent: Sent, now: Date): boolean =>
  sent.email_status === "sending" && now.getTime() - new Date(sent.sent_at).getTime() < PATIENCE;

export const isTextOnItsWay = (sent: Sent, now: Date): boolean =>
  sent.text_status === "sending" && now.getTime() - new Date(sent.sent_at).getTime() < PATIENCE;

/** Somebody who has the text message and not the mail is not texted once more for the mail's sake. */
export const isWorthTexting = (sent: SentWaiverRow): boolean =>
  Boolean(sent.recipient_phone) && !(sent.text_status === "delivered" && sent.email_status === "failed");

export type Fate = "signed" | "expired" | SentWaiverRow["email_status"] | "unsent";

/** How far it has come: what the guest did counts before what the mail did. */
export function fate(sent: Sent, now: Date): Fate {
  if (sent.session?.status === "signed") return "signed";
  if (sent.session?.expires_at && new Date(sent.session.expires_at) <= now) return "expired";
  if (sent.email_status === "sending" && !isOnItsWay(sent, now)) return "unsent";
  return sent.email_status;
}

const FINAL: Fate[] = ["signed", "expired", "sending"];

export const mayBeSentAgain = (sent: Sent, now: Date): boolean => !FINAL.includes(fate(sent, now));

export type Mail = { to: string; subject: string; body: string };

/** The same words as the first time; without a first time, those of a sending without a message. */
export function mailAgain(sent: SentWaiverRow, first: Mail | undefined, link: string): Mail {
  if (first) return first;
  const template = { id: sent.template_id, name: sent.template_name, content: sent.template_content };
  const recipient = {
    firstName: sent.recipient_name,
    lastName: "",
    email: sent.recipient_email,
    message: "",
    asPdf: sent.sent_as_pdf,
  };
  return { to: sent.recipient_email, ...letter(template, recipient, link) };
}
