import type { SessionRow, SignedWaiverRow } from "~/lib/database";
import { isoDate } from "~/lib/dates";

export type RecentSession = Pick<
  SessionRow,
  "id" | "template_name" | "recipient_name" | "signer_name" | "status" | "created_at"
>;

export type RecentWaiver = {
  id: string;
  shortId: string;
  guest: string;
  template: string;
  date: string;
  status: "signed" | "pending";
};

export function recentWaiver(session: RecentSession): RecentWaiver {
  return {
    id: session.id,
    shortId: session.id.slice(0, 8),
    guest: session.recipient_name || session.signer_name || "Anonymous",
    template: session.template_name,
    date: isoDate(new Date(session.created_at)),
    status: session.status === "signed" ? "signed" : "pending",
  };
}

export type DirectoryRow = {
  id: string;
  type: "signed" | "pending";
  templateName: string;
  name: string;
  email: string;
  status: "signed" | "pending" | "expired";
  at: string | null;
  sessionId: string;
};

export type SignedSummary = Pick<
  SignedWaiverRow,
  "id" | "session_id" | "template_name" | "signer_name" | "signer_email" | "signed_at"
>;
export type PendingSession = Pick<
  SessionRow,
  "id" | "template_name" | "recipient_name" | "recipient_email" | "created_at" | "expires_at"
>;

export function signedRow(waiver: SignedSummary): DirectoryRow {
  return {
    id: waiver.id,
    type: "signed",
    templateName: waiver.template_name,
    name: waiver.signer_name,
    email: waiver.signer_email,
    status: "signed",
    at: waiver.signed_at,
    sessionId: waiver.session_id,
  };
}

/** Expired is never stored: it is a pending session whose time has passed. */
export function pendingRow(session: PendingSession, now: Date): DirectoryRow {
  const expired = session.expires_at !== null && new Date(session.expires_at) <= now;
  return {
    id: session.id,
    type: "pending",
    templateName: session.template_name,
    name: session.recipient_name || "Anonymous",
    email: session.recipient_email ?? "",
    status: expired ? "expired" : "pending",
    at: session.created_at,
    sessionId: session.id,
  };
}
