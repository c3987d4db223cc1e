import { useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { unwrap } from "~/lib/request";
import { apiClient, type ApiClient } from "~/lib/api";
import { textingQuery } from "~/lib/texting";
import { paths } from "~/paths";
import type { Outcome } from "../model";
import {
  shouldTextAgain,
  emailToSendAgain,
  readdressed,
  type Addressee,
  type Email,
  type SentRow,
} from "../sent-waiver";
import { sendEmail } from "./send-email";
import { failedOutcome, AFFECTED_QUERIES } from "./send-waiver";
import { showOutcome } from "./show-outcome";

/**
 * Sends the same email again. The link that the guest already has stays valid, unless it has expired. An
 * expired link is replaced by a new one.
 */
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
  const sessionId = await unwrap(supabase.rest.rpc("resend_waiver", { session_id: waiver.session_id }));
  const email = await emailFor(supabase, waiver, { ...addressee(waiver), sessionId });
  const isTexted = shouldTextAgain(waiver) && (await queries.ensureQueryData(textingQuery));
  const phone = isTexted ? waiver.recipient_phone : null;
  return sendEmail(supabase, { ...email, sessionId, asPdf: waiver.sent_as_pdf, ...(phone && { phone }) });
}

/** Returns the first email about the waiver, but with the recipient and the link of `to`. */
export async function emailFor(supabase: ApiClient, waiver: SentRow, to: Addressee): Promise<Email> {
  const link = window.location.origin + paths.signing(waiver.session_id);
  const email = emailToSendAgain(waiver, await firstEmail(supabase, waiver.session_id), link);
  return readdressed(email, addressee(waiver), to);
}

const addressee = (waiver: SentRow): Addressee => ({
  sessionId: waiver.session_id,
  name: waiver.recipient_name,
  email: waiver.recipient_email,
});

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
