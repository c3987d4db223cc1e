import { useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query";
import type { SentWaiverRow } from "~/lib/database";
import { unwrap } from "~/lib/request";
import { apiClient, type ApiClient } from "~/lib/api";
import { textingQuery } from "~/lib/texting";
import { paths } from "~/paths";
import type { Outcome } from "../model";
import { isWorthTexting, mailAgain, type Mail } from "../sent";
import { mail } from "./mail";
import { failed, TOUCHED } from "./send-waiver";
import { tellOutcome } from "./tell-outcome";

/** The same mail about the same session once more: its link stays the one the guest may already have. */
export function useSendAgain() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (sent: SentWaiverRow): Promise<Outcome> => again(queries, sent).catch(failed),
    onSuccess: (outcome, sent) => tellOutcome(outcome, sent.sent_as_pdf),
    onSettled: () => Promise.all(TOUCHED.map((key) => queries.invalidateQueries({ queryKey: [key] }))),
  });
}

async function again(queries: QueryClient, sent: SentWaiverRow): Promise<Outcome> {
  const supabase = await apiClient();
  const link = window.location.origin + paths.signing(sent.session_id);
  const words = mailAgain(sent, await firstMail(supabase, sent.session_id), link);
  const phone = isWorthTexting(sent) && (await queries.ensureQueryData(textingQuery)) && sent.recipient_phone;
  return mail(supabase, {
    ...words,
    sessionId: sent.session_id,
    asPdf: sent.sent_as_pdf,
    ...(phone && { phone }),
  });
}

async function firstMail(supabase: ApiClient, sessionId: string): Promise<Mail | undefined> {
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
