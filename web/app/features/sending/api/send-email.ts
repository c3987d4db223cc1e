import { RequestBlocked } from "~/lib/blocked";
import type { ApiClient } from "~/lib/api";
import { parseSendResponse, failureReason, parseTextOutcome, type Outcome } from "../model";
import type { Email } from "../sent-waiver";

/** An email without a session contains the link of a template. */
type EmailRequest = Email & { sessionId?: string; asPdf: boolean; phone?: string };

/** Lets the server send the email and returns the outcome. */
export async function sendEmail(supabase: ApiClient, { asPdf, ...request }: EmailRequest): Promise<Outcome> {
  const outcome = await requestEmail(supabase, { ...request, attachmentType: asPdf ? "pdf" : "link" });
  if (outcome.result === "failed" && request.sessionId)
    await recordFailure(supabase, request.sessionId, outcome.reason);
  return outcome;
}

async function requestEmail(supabase: ApiClient, body: object): Promise<Outcome> {
  const { data, error } = await supabase.functions.invoke<unknown>("send-email", { body: { ...body } });
  if (!error) return parseSendResponse(data);
  // The client library stores the response in `context`, or the error if there was no response.
  const response: unknown = "context" in error ? error.context : null;
  if (response instanceof RequestBlocked)
    return { result: "failed", reason: response.message, isBlocked: true };
  if (!(response instanceof Response)) throw new Error("The server could not be reached.", { cause: error });
  const payload: unknown = await response.json().catch(() => null);
  return { result: "failed", reason: failureReason(response.status, payload), ...parseTextOutcome(payload) };
}

/**
 * The server records the outcome of each email it accepts. Only this browser knows about a request that was refused.
 */
async function recordFailure(supabase: ApiClient, sessionId: string, reason: string): Promise<void> {
  await supabase.rest.rpc("note_failed_sending", { session_id: sessionId, reason });
}
