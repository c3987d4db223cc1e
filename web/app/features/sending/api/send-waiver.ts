import { useMutation, useQueryClient } from "@tanstack/react-query";
import { saveLastSend } from "~/lib/browser-cache";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";
import { paths } from "~/paths";
import { fullName, isComplete, letter, REFUSED, type Outcome, type Recipient, type Sendable } from "../model";
import { mail } from "./mail";

type Sending = { template: Sendable; recipient: Recipient };

/** What a mail changes on screen. */
export const TOUCHED = ["waivers", "sent-waivers", "emails"];

/** Never throws: a failed send is an outcome too, and session and record are kept so that it can be sent again. */
export function useSendWaiver() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (sending: Sending): Promise<Outcome> => {
      const outcome = await send(sending).catch(failed);
      saveLastSend(outcome);
      return outcome;
    },
    onSettled: () => Promise.all(TOUCHED.map((key) => queries.invalidateQueries({ queryKey: [key] }))),
  });
}

export function failed(error: unknown): Outcome {
  return {
    result: "failed",
    reason: error instanceof Error ? error.message : "An unexpected error occurred",
  };
}

async function send({ template, recipient }: Sending): Promise<Outcome> {
  if (!isComplete(recipient)) throw new Error(REFUSED);
  const supabase = await apiClient();
  const email = recipient.email.trim();
  const addressee = { recipient_name: fullName(recipient), recipient_email: email };
  const session = await unwrap(
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
  await unwrap(
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
  const link = window.location.origin + paths.signing(session.id);
  const words = letter(template, recipient, link);
  const phone = recipient.phone?.trim();
  return mail(supabase, {
    to: email,
    ...words,
    sessionId: session.id,
    asPdf: recipient.asPdf,
    ...(phone && { phone }),
  });
}
