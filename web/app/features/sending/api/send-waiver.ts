import { useMutation, useQueryClient } from "@tanstack/react-query";
import { saveLastSend } from "~/lib/browser-cache";
import { errorMessage } from "~/lib/error-message";
import { unwrap } from "~/lib/request";
import { RequestFailed } from "~/lib/request-failed";
import { apiClient, type ApiClient } from "~/lib/api";
import { paths } from "~/paths";
import {
  fullName,
  isComplete,
  composeEmail,
  RECIPIENT_REQUIRED,
  type Outcome,
  type Recipient,
  type SendableTemplate,
} from "../model";
import { sendEmail } from "./send-email";

type SendRequest = { template: SendableTemplate; recipient: Recipient };

/** The data of these queries changes when an email is sent. */
export const AFFECTED_QUERIES = ["waivers", "sent-waivers", "emails"];

/**
 * Sends a waiver: creates a session, records the sending and requests the email. It never throws, because a failure is
 * an outcome. If only the email fails, the session and the record of the sending remain, so that the waiver can be sent
 * again from the list of sent waivers. If the server cannot create the session, the email contains the link of the
 * template, and the session is created when the guest signs.
 */
export function useSendWaiver() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (request: SendRequest): Promise<Outcome> => {
      const outcome = await send(request).catch(failedOutcome);
      saveLastSend(outcome);
      return outcome;
    },
    onSettled: () =>
      Promise.all(AFFECTED_QUERIES.map((key) => queries.invalidateQueries({ queryKey: [key] }))),
  });
}

export function failedOutcome(error: unknown): Outcome {
  return { result: "failed", reason: errorMessage(error) };
}

async function send({ template, recipient }: SendRequest): Promise<Outcome> {
  if (!isComplete(recipient)) throw new Error(RECIPIENT_REQUIRED);
  const supabase = await apiClient();
  const email = recipient.email.trim();
  const recipientFields = { recipient_name: fullName(recipient), recipient_email: email };
  const phone = recipient.phone?.trim();
  const session = await createSession(supabase, template, recipientFields).catch((error: unknown) => {
    // Both the PDF and the text message belong to a session.
    if (isServerError(error) && !recipient.asPdf && !phone) return null;
    throw error;
  });
  if (!session) {
    const content = composeEmail(template, recipient, await templateLink(supabase, template));
    return sendEmail(supabase, { to: email, ...content, asPdf: false });
  }
  await unwrap(
    supabase.rest
      .from("sent_waivers")
      .insert(sendingFields(template, session.id, recipientFields, recipient.asPdf)),
  );
  const link = window.location.origin + paths.signing(session.id);
  const content = composeEmail(template, recipient, link);
  return sendEmail(supabase, {
    to: email,
    ...content,
    sessionId: session.id,
    asPdf: recipient.asPdf,
    ...(phone && { phone }),
  });
}

type RecipientFields = { recipient_name: string; recipient_email: string };

/** Returns the row that records a sending. */
export const sendingFields = (
  template: SendableTemplate,
  sessionId: string,
  recipientFields: RecipientFields,
  asPdf: boolean,
) => ({
  session_id: sessionId,
  template_id: template.id,
  template_name: template.name,
  template_content: template.content,
  ...recipientFields,
  // This column repeats `sent_as_pdf`. Whether the guest has signed is in the status of the session.
  status: asPdf ? ("sent_pdf" as const) : ("pending" as const),
  sent_as_pdf: asPdf,
});

/** With an `id`, a repeated request finds the session that the first request created. */
export const createSession = (
  supabase: ApiClient,
  template: SendableTemplate,
  recipientFields: RecipientFields & { id?: string },
) =>
  unwrap(
    supabase.rest
      .from("waiver_sessions")
      .insert({
        template_id: template.id,
        status: "pending",
        template_content: template.content,
        ...recipientFields,
      })
      .select("id")
      .single(),
  );

/** A refusal has a status below 500, and its reason is shown to the user. */
const isServerError = (error: unknown): boolean => error instanceof RequestFailed && error.status >= 500;

async function templateLink(supabase: ApiClient, { id, isSample }: SendableTemplate): Promise<string> {
  const company = isSample ? await unwrap(supabase.rest.from("companies").select("id").single()) : undefined;
  return window.location.origin + paths.signingTemplate(id, company?.id);
}
