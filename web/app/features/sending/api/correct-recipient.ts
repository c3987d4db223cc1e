import { useMutation, useQueryClient } from "@tanstack/react-query";
import { apiClient } from "~/lib/api";
import { unwrap } from "~/lib/request";
import type { Outcome } from "../model";
import type { SentRow } from "../sent-waiver";
import { emailFor } from "./send-again";
import { sendEmail } from "./send-email";
import { AFFECTED_QUERIES, failedOutcome } from "./send-waiver";
import { showOutcome } from "./show-outcome";

type Correction = { waiver: SentRow; name: string; email: string };

/**
 * Corrects the recipient and sends the waiver again with a new link. Throws if the server refuses the correction. If only
 * the email fails, the correction remains, and the waiver can be sent again.
 */
export function useCorrectRecipient() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: correctAndSend,
    onSuccess: ({ outcome }, { waiver }) => showOutcome(outcome, waiver.sent_as_pdf),
    onSettled: () =>
      Promise.all(AFFECTED_QUERIES.map((key) => queries.invalidateQueries({ queryKey: [key] }))),
  });
}

/** Returns the outcome of the email and the id of the session that replaces the old one. */
async function correctAndSend({
  waiver,
  name,
  email,
}: Correction): Promise<{ outcome: Outcome; sessionId: string }> {
  const supabase = await apiClient();
  const sessionId = await unwrap(
    supabase.rest.rpc("correct_recipient", { session_id: waiver.session_id, name, email }),
  );
  const outcome = await emailFor(supabase, waiver, { sessionId, name, email })
    .then((newEmail) => sendEmail(supabase, { ...newEmail, sessionId, asPdf: waiver.sent_as_pdf }))
    .catch(failedOutcome);
  return { outcome, sessionId };
}
