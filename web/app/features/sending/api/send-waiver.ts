import { useMutation, useQueryClient } from "@tanstack/react-query";
import { keepLastSend } from "~/lib/browser-cache";
import { take } from "~/lib/request";
import { connect, type Client } from "~/lib/supabase";
import { paths } from "~/paths";
import {
  fullName,
  isComplete,
  letter,
  outcomeOf,
  reasonOf,
  REFUSED,
  type Outcome,
  type Recipient,
  type Sendable,
} from "../model";

type Sending = { template: Sendable; recipient: Recipient };

/** Never throws: a failed send is an outcome too, and session and record are kept so that it can be sent again. */
export function useSendWaiver() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (sending: Sending): Promise<Outcome> => {
      const outcome = await send(sending).catch((error: unknown): Outcome => ({
        result: "failed",
        reason: error instanceof Error ? error.message : "An unexpected error occurred",
      }));
      keepLastSend(outcome);
      return outcome;
    },
    onSettled: () =>
      Promise.all(
        ["waivers", "sent-waivers", "emails"].map((key) => queries.invalidateQueries({ queryKey: [key] })),
      ),
  });
}

async function send({ template, recipient }: Sending): Promise<Outcome> {
  if (!isComplete(recipient)) throw new Error(REFUSED);
  const supabase = await connect();
  const addressee = { recipient_name: fullName(recipient), recipient_email: recipient.email.trim() };
  const session = await take(
    supabase.rest
      .from("waiver_sessions")
      .insert({
        template_id: template.id,
        status: "pending",
        template_content: template.content,
        ...addressee,
      })
      .select("id")
      .single(),
  );
  await take(
    supabase.rest.from("sent_waivers").insert({
      session_id: session.id,
      template_id: template.id,
      template_name: template.name,
      template_content: template.content,
      ...addressee,
      status: recipient.asPdf ? "sent_pdf" : "pending",
      sent_as_pdf: recipient.asPdf,
    }),
  );
  return mail(supabase, template, recipient, session.id);
}

async function mail(
  supabase: Client,
  template: Sendable,
  recipient: Recipient,
  sessionId: string,
): Promise<Outcome> {
  const link = window.location.origin + paths.signing(sessionId);
  const { data, error } = await supabase.functions.invoke<unknown>("send-email", {
    body: {
      to: recipient.email.trim(),
      ...letter(template, recipient, link),
      attachmentType: recipient.asPdf ? "pdf" : "link",
      sessionId,
    },
  });
  if (!error) return outcomeOf(data);
  const response: unknown = "context" in error ? error.context : null;
  if (!(response instanceof Response)) throw error;
  return { result: "failed", reason: reasonOf(response.status, await response.json().catch(() => null)) };
}
