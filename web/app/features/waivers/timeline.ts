import type { EmailRow, WaiverEventRow } from "~/lib/database";

/** One line of a waiver's timeline, which has the title History in the app. It is an audit event or an email. */
export type TimelineEntry = {
  id: string;
  at: string;
  /** The kind of the event, for example `email.accepted`. */
  kind: string;
  title: string;
  details: string[];
  /** The session that replaces this one or is replaced by it, or the other session of an invitation. */
  related: { label: string; sessionId: string } | null;
};

export type TimelineEvent = Pick<WaiverEventRow, "event_id" | "at" | "name" | "title" | "details">;

export type TimelineEmail = Pick<
  EmailRow,
  "id" | "kind" | "status" | "recipient" | "created_at" | "sent_at" | "error"
>;

/** Says who downloaded or exported a document, or with which link or key. */
const ACCESS: Record<string, string> = {
  company: "By your company",
  "service key": "With the service key of this server",
  signer: "By the signer, who was signed in",
  "browser that signed": "In the browser in which it was signed",
  "link in an email": "With the link in an email",
};

const EMAIL_TITLES: Record<EmailRow["status"], string> = {
  sending: "is being sent",
  delivered: "accepted by the mail server",
  kept: "saved, but not delivered",
  failed: "not sent",
  cancelled: "not sent",
};

/**
 * Returns the events of a waiver, and the emails that have no event, oldest first. Earlier versions of Cairn
 * recorded no events for emails.
 */
export function timelineOf(events: TimelineEvent[], emails: TimelineEmail[]): TimelineEntry[] {
  const recordedEmails = new Set(events.map(({ details }) => details.email_id));
  const olderEmails = emails.filter(({ id }) => !recordedEmails.has(id));
  return [...events.map(eventEntry), ...olderEmails.map(emailEntry)].toSorted(
    (a, b) => Date.parse(a.at) - Date.parse(b.at),
  );
}

function eventEntry({ event_id, at, name, title, details }: TimelineEvent): TimelineEntry {
  const lines = [
    details.signer_name && `By ${details.signer_name}`,
    details.by_name && `By ${details.by_name}`,
    details.recipient && `To ${details.recipient}`,
    details.access && (ACCESS[details.access] ?? `As ${details.access}`),
    details.reason && `Reason: ${details.reason}`,
    details.scroll_depth !== undefined && `${details.scroll_depth} % of the text was on screen`,
    details.language && `Language of the page: ${details.language}`,
    details.replaced_by && "This link no longer works. The guest got a new one.",
    details.replaces && "This link replaces an earlier one.",
    details.invites && "A guest added an adult, who signs with a link of their own.",
    details.invited_by && "A guest added this adult to another waiver.",
    details.ip && `IP address ${details.ip}`,
  ];
  return {
    id: `event-${event_id}`,
    at,
    kind: name,
    title: titleOf(title, details),
    details: lines.flatMap((line) => (typeof line === "string" && line ? [line] : [])),
    related: relatedSession(details),
  };
}

type Details = TimelineEvent["details"];

/**
 * The server uses the same title for all kinds of email, and another for all text messages. This function
 * names a reminder and the copy for the signer in the title.
 */
function titleOf(title: string, { email_kind, text_kind }: Details): string {
  if (email_kind === "reminder") return title.replace(/^Email/, "Reminder");
  if (email_kind === "copy") return title.replace(/^Email/, "Copy for the signer");
  if (text_kind === "reminder") return title.replace(/^Text message/, "Reminder by text message");
  return title;
}

function relatedSession({ replaced_by, replaces, invites, invited_by }: Details): TimelineEntry["related"] {
  if (typeof replaced_by === "string") return { label: "Open the new waiver", sessionId: replaced_by };
  if (typeof replaces === "string") return { label: "Open the earlier waiver", sessionId: replaces };
  if (typeof invites === "string") return { label: "Open the waiver of the adult", sessionId: invites };
  if (typeof invited_by === "string") return { label: "Open the other waiver", sessionId: invited_by };
  return null;
}

function emailEntry({
  id,
  kind,
  status,
  recipient,
  created_at,
  sent_at,
  error,
}: TimelineEmail): TimelineEntry {
  return {
    id,
    at: sent_at ?? created_at,
    kind: "email",
    title: titleOf(`Email ${EMAIL_TITLES[status]}`, { email_kind: kind }),
    details: [`To ${recipient}`, ...(error ? [error] : [])],
    related: null,
  };
}
