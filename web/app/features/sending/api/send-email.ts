import { RequestBlocked } from "~/lib/blocked";
import type { ApiClient } from "~/lib/api";
import { parseSendResponse, failureCode, failureReason, parseTextOutcome, type Outcome } from "../model";
import type { Email } from "../sent-waiver";

/** An email without a session contains the link of a template. */
type EmailRequest = Email & { sessionId?: string; asPdf: boolean; phone?: string };

/** A request with the same `idempotencyKey` as an earlier one sends nothing, and has the same outcome. */
type RepeatableRequest = EmailRequest & { idempotencyKey?: string };

/** The status and the code say why a request was refused. The code is empty if the response has none. */
export type EmailResponse = { outcome: Outcome; status: number; code: string };

/** Lets the server send the email and returns the outcome. */
export async function sendEmail(supabase: ApiClient, request: EmailRequest): Promise<Outcome> {
  const { outcome } = await requestEmail(supabase, request);
  return outcome;
}

/** Works like `sendEmail`, and also returns the status of the response. The status is 0 if the browser blocked it. */
export async function requestEmail(
  supabase: ApiClient,
  { asPdf, ...request }: RepeatableRequest,
): Promise<EmailResponse> {
  const response = await postEmail(supabase, { ...request, attachmentType: asPdf ? "pdf" : "link" });
  if (response.outcome.result === "failed" && request.sessionId)
    await recordFailure(supabase, request.sessionId, response.outcome.reason);
  return response;
}

async function postEmail(supabase: ApiClient, body: object): Promise<EmailResponse> {
  const { data, error } = await supabase.functions.invoke<unknown>("send-email", { body: { ...body } });
  if (!error) return { outcome: parseSendResponse(data), status: 200, code: "" };
  // The client library stores the response in `context`, or the error if there was no response.
  const response: unknown = "context" in error ? error.context : null;
  if (response instanceof RequestBlocked) {
    const outcome = { result: "failed", reason: response.message, isBlocked: true } as const;
    return { outcome, status: 0, code: "" };
  }
  if (!(response instanceof Response)) throw new Error("The server could not be reached.", { cause: error });
  const payload: unknown = await response.json().catch(() => null);
  const reason = failureReason(response.status, payload);
  const outcome = { result: "failed", reason, ...parseTextOutcome(payload) } as const;
  return { outcome, status: response.status, code: failureCode(payload) };
}

/**
 * The server records the outcome of each email it accepts. Only this browser knows about a request that was refused.
 */
async function recordFailure(supabase: ApiClient, sessionId: string, reason: string): Promise<void> {
  await supabase.rest.rpc("note_failed_sending", { session_id: sessionId, reason });
}
