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
    mutationFn: (waiver: SentRow): Promise<Outcome> => resend(queries, waiver).catch(failedOutcome),
    onSuccess: (outcome, waiver) => showOutcome(outcome, waiver.sent_as_pdf),
    onSettled: () =>
      Promise.all(AFFECTED_QUERIES.map((key) => queries.invalidateQueries({ queryKey: [key] }))),
  });
}

async function resend(queries: QueryClient, waiver: SentRow): Promise<Outcome> {
  const supabase = await apiClient();
  const link = window.location.origin + paths.signing(waiver.session_id);
  const email = emailToSendAgain(waiver, await firstEmail(supabase, waiver.session_id), link);
  const isTexted = shouldTextAgain(waiver) && (await queries.ensureQueryData(textingQuery));
  const phone = isTexted ? waiver.recipient_phone : null;
  return sendEmail(supabase, {
    ...email,
    sessionId: waiver.session_id,
    asPdf: waiver.sent_as_pdf,
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
