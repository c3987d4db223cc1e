import { useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { unwrap } from "~/lib/request";
import { apiClient, type ApiClient } from "~/lib/api";
import { textingQuery } from "~/lib/texting";
import { paths } from "~/paths";
import type { Outcome } from "../model";
import { shouldTextAgain, emailToSendAgain, type Email, type SentRow } from "../sent-waiver";
import { sendEmail } from "./send-email";
import { failedOutcome, AFFECTED_QUERIES } from "./send-waiver";
import { showOutcome } from "./show-outcome";

/** Sends the same email for the same session again, so that a link the guest already has stays valid. */
export function useSendAgain() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (sent: SentRow): Promise<Outcome> => resend(queries, sent).catch(failedOutcome),
    onSuccess: (outcome, sent) => showOutcome(outcome, sent.sent_as_pdf),
    onSettled: () =>
      Promise.all(AFFECTED_QUERIES.map((key) => queries.invalidateQueries({ queryKey: [key] }))),
  });
}

async function resend(queries: QueryClient, sent: SentRow): Promise<Outcome> {
  const supabase = await apiClient();
  const link = window.location.origin + paths.signing(sent.session_id);
  const email = emailToSendAgain(sent, await firstEmail(supabase, sent.session_id), link);
  const phone =
    shouldTextAgain(sent) && (await queries.ensureQueryData(textingQuery)) && sent.recipient_phone;
  return sendEmail(supabase, {
    ...email,
    sessionId: sent.session_id,
    asPdf: sent.sent_as_pdf,
    ...(phone && { phone }),
  });
}

async function firstEmail(supabase: ApiClient, sessionId: string): Promise<Email | undefined> {
  const [first] = await unwrap(
    supabase.rest
      .from("emails")
      .select("recipient, subject, body")
      .eq("session_id", sessionId)
      .order("created_at")
      .limit(1),
  );
  return first && { to: first.recipient, subject: first.subject, body: first.body };
}
