import { apiClient, type ApiClient } from "~/lib/api";
import { isUnreachable, unreachableMessage } from "~/lib/connection";
import { errorMessage } from "~/lib/error-message";
import { newId } from "~/lib/new-id";
import { unwrap } from "~/lib/request";
import { RequestFailed } from "~/lib/request-failed";
import { paths } from "~/paths";
import type { ListRun, RunRow } from "../list/list-run";
import { composeEmail, type SendableTemplate } from "../model";
import { requestEmail, type EmailResponse } from "./send-email";
import { createSession, sendingFields } from "./send-waiver";

/** `unreachable` means that sending continues by itself once the server responds again. */
export type Pause = { kind: "unreachable" | "busy" | "refused" | "stopped"; reason: string };

/** Either the row with its outcome, or the reason why no row can be sent at present. */
export type Step = { row: RunRow } | { pause: Pause };

const TRIES = 4;
const RETRY_MS = 2_000;

/** These refusals concern all rows, not only the one that was to be sent. */
const REFUSALS_OF_ALL = new Set([
  "daily_limit_reached",
  "unconfirmed_limit_reached",
  "network_limit_reached",
  "plan_limit_reached",
]);
const STATUSES_OF_ALL = new Set([401, 402, 403]);

/**
 * Sends the waiver to one row of a list. Every request can be repeated: the session, the sending and the email have ids
 * that the browser chose, so that nothing is created or sent twice. A request without a response is therefore repeated.
 */
export async function sendListed(run: ListRun, row: RunRow, template: SendableTemplate): Promise<Step> {
  for (let attempt = 1; ; attempt += 1) {
    const step = await trySending(run, row, template);
    if (!("noAnswer" in step)) return step;
    if (attempt === TRIES) return { pause: { kind: "busy", reason: step.noAnswer } };
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    if (isUnreachable()) return { pause: { kind: "unreachable", reason: unreachableMessage() } };
  }
}

/** `noAnswer` says why it is unknown whether the server has done what it was asked for. */
type Attempt = Step | { noAnswer: string };

async function trySending(run: ListRun, row: RunRow, template: SendableTemplate): Promise<Attempt> {
  let current = row;
  try {
    const supabase = await apiClient();
    await createSession(supabase, template, { id: row.sessionId, ...recipientFields(row) });
    current = { ...row, isStored: true };
    await recordSending(supabase, run, row, template);
    return afterResponse(current, await requestListedEmail(supabase, run, row, template));
  } catch (error) {
    return afterError(current, error);
  }
}

const recipientFields = ({ name, email }: RunRow) => ({ recipient_name: name, recipient_email: email });

async function recordSending(supabase: ApiClient, run: ListRun, row: RunRow, template: SendableTemplate) {
  const fields = sendingFields(template, row.sessionId, recipientFields(row), run.asPdf);
  const sending = { id: row.sendingId, ...fields };
  await unwrap(
    supabase.rest.from("sent_waivers").upsert(sending, { onConflict: "id", ignoreDuplicates: true }),
  );
}

function requestListedEmail(supabase: ApiClient, run: ListRun, row: RunRow, template: SendableTemplate) {
  const { message, asPdf } = run;
  const recipient = { firstName: row.name, lastName: "", email: row.email, message, asPdf };
  const link = window.location.origin + paths.signing(row.sessionId);
  return requestEmail(supabase, {
    to: row.email,
    ...composeEmail(template, recipient, link),
    sessionId: row.sessionId,
    asPdf,
    idempotencyKey: row.idempotencyKey,
    ...(row.phone && { phone: row.phone }),
  });
}

function afterResponse(row: RunRow, { outcome, status, code }: EmailResponse): Attempt {
  if (outcome.result !== "failed") return { row: { ...row, outcome } };
  // The email was recorded as failed, so only a new key can send it again.
  if (code === "email_not_delivered") return { row: { ...row, outcome, idempotencyKey: newId() } };
  if (isRefusalOfAll(status, code) || outcome.isBlocked)
    return { pause: { kind: "refused", reason: outcome.reason } };
  return isBusy(status, code) ? { noAnswer: outcome.reason } : { row: { ...row, outcome } };
}

function afterError(row: RunRow, error: unknown): Attempt {
  if (!(error instanceof RequestFailed)) return { noAnswer: errorMessage(error) };
  if (error.status === 0 || isBusy(error.status, error.code)) return { noAnswer: error.message };
  if (isRefusalOfAll(error.status, error.code)) return { pause: { kind: "refused", reason: error.message } };
  return { row: { ...row, outcome: { result: "failed", reason: error.message } } };
}

const isRefusalOfAll = (status: number, code: string): boolean =>
  REFUSALS_OF_ALL.has(code) || STATUSES_OF_ALL.has(status);

/** A guest who got too many emails is refused with the status of a limit too, but waiting does not help that row. */
const isBusy = (status: number, code: string): boolean =>
  status >= 500 || (status === 429 && code !== "recipient_limit_reached");
