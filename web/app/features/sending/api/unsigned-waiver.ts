import { queryOptions, useQuery } from "@tanstack/react-query";
import { apiClient } from "~/lib/api";
import type { SessionRow } from "~/lib/database";
import { unwrap } from "~/lib/request";
import type { SentRow, SentWaiver } from "../sent-waiver";
import { SENT_COLUMNS } from "./sent-waivers";

export type UnsignedWaiver = SentWaiver & {
  createdAt: string;
  companyId: string | null;
  /** A session that was created through the API may not have been sent to anyone. */
  wasSent: boolean;
};

/** Fetches a session that is not signed, with its newest sending. The result is null if no session has this id. */
export const unsignedWaiverQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ["waivers", "unsigned", sessionId],
    queryFn: () => fetchUnsignedWaiver(sessionId),
  });

export const useUnsignedWaiver = (sessionId: string) => useQuery(unsignedWaiverQuery(sessionId));

async function fetchUnsignedWaiver(sessionId: string): Promise<UnsignedWaiver | null> {
  const supabase = await apiClient();
  const [[session], [sending]] = await Promise.all([
    unwrap(
      supabase.rest
        .from("waiver_sessions")
        .select(
          "id, company_id, template_id, template_name, template_content, recipient_name, recipient_email, status, created_at, expires_at",
        )
        .eq("id", sessionId),
    ),
    unwrap(
      supabase.rest
        .from("sent_waivers")
        .select(SENT_COLUMNS)
        .eq("session_id", sessionId)
        .order("sent_at", { ascending: false })
        .limit(1),
    ),
  ]);
  if (!session) return null;
  const { status, expires_at, created_at, company_id } = session;
  return {
    ...(sending ?? unsentRow(session)),
    session: { status, expires_at },
    createdAt: created_at,
    companyId: company_id,
    wasSent: sending !== undefined,
  };
}

type UnsentSession = Pick<
  SessionRow,
  | "id"
  | "template_id"
  | "template_name"
  | "template_content"
  | "recipient_name"
  | "recipient_email"
  | "created_at"
>;

/** Returns what the row of a sending would contain for a session that was created through the API and never sent. */
function unsentRow(session: UnsentSession): SentRow {
  const { id, template_id, template_name, template_content, recipient_name, recipient_email } = session;
  return {
    id,
    session_id: id,
    template_id,
    template_name,
    template_content,
    recipient_name: recipient_name ?? "",
    recipient_email: recipient_email ?? "",
    status: "pending",
    sent_as_pdf: false,
    email_status: "failed",
    email_message_id: null,
    email_error: null,
    recipient_phone: null,
    text_status: null,
    text_error: null,
    sent_at: session.created_at,
  };
}
