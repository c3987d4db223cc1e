import { useQuery } from "@tanstack/react-query";
import type { ConsentTextRow, SessionRow } from "~/lib/database";
import { unwrap } from "~/lib/request";
import { RequestFailed } from "~/lib/request-failed";
import { apiClient, type ApiClient } from "~/lib/api";
import { fetchConsentText } from "./consent-text";

export type SessionToSign = Pick<
  SessionRow,
  | "id"
  | "status"
  | "template_id"
  | "template_name"
  | "template_content"
  | "company_name"
  | "recipient_name"
  | "recipient_email"
  | "expires_at"
  | "form"
>;

/** Null if no session has the requested id. */
export type SessionWithConsent = { session: SessionToSign; consent: ConsentTextRow | null } | null;

export const useSessionToSign = (id: string | null) =>
  useQuery({
    queryKey: ["session-to-sign", id],
    queryFn: () => (id === null ? null : fetchSession(id)),
    enabled: id !== null,
    retry: 1,
    // The text must not change while the guest is reading it.
    staleTime: Infinity,
    gcTime: 0,
  });

async function fetchSession(id: string): Promise<SessionWithConsent> {
  const supabase = await apiClient();
  const [sessions, consent] = await Promise.all([
    unwrap(
      supabase.rest
        .from("waiver_sessions")
        .select(
          "id, status, template_id, template_name, template_content, company_name, recipient_name, recipient_email, expires_at, form",
        )
        .eq("id", id),
    ).catch(emptyIfInvalidId),
    fetchConsentText(),
  ]);
  const [session] = sessions;
  if (!session) return null;
  recordView(supabase, session);
  return { session, consent };
}

/** No session can have a malformed id. */
function emptyIfInvalidId(error: unknown): SessionToSign[] {
  if (error instanceof RequestFailed && error.code === "22P02") return [];
  throw error;
}

/** Records, as evidence, that the waiver was opened. A failure does not prevent signing. */
function recordView(supabase: ApiClient, { id, status }: SessionToSign): void {
  if (status !== "template_default") void supabase.rest.rpc("note_waiver_view", { session_id: id }).then();
}
