import { RequestBlocked } from "~/lib/blocked";
import type { ApiClient } from "~/lib/api";
import { outcomeOf, reasonOf, textOf, type Outcome } from "../model";
import type { Mail } from "../sent";

type Posting = Mail & { sessionId: string; asPdf: boolean; phone?: string };

/** Asks the server to mail, and hears what became of it. */
export async function mail(supabase: ApiClient, { asPdf, ...posting }: Posting): Promise<Outcome> {
  const outcome = await ask(supabase, { ...posting, attachmentType: asPdf ? "pdf" : "link" });
  if (outcome.result === "failed") await noteFailure(supabase, posting.sessionId, outcome.reason);
  return outcome;
}

async function ask(supabase: ApiClient, body: object): Promise<Outcome> {
  const { data, error } = await supabase.functions.invoke<unknown>("send-email", { body: { ...body } });
  if (!error) return outcomeOf(data);
  const response: unknown = "context" in error ? error.context : null;
  if (response instanceof RequestBlocked)
    return { result: "failed", reason: response.message, isBlocked: true };
  if (!(response instanceof Response)) throw new Error("The server could not be reached.", { cause: error });
  const told: unknown = await response.json().catch(() => null);
  return { result: "failed", reason: reasonOf(response.status, told), ...textOf(told) };
}

/** A mail that was written tells its own fate; of one that was refused before only this browser knows. */
async function noteFailure(supabase: ApiClient, sessionId: string, reason: string): Promise<void> {
  await supabase.rest.rpc("note_failed_sending", { session_id: sessionId, reason });
}
