import { apiClient } from "~/lib/api";
import { unwrap } from "~/lib/request";
import { RequestFailed } from "~/lib/request-failed";
import type { Listed } from "../list/build-rows";
import { withRecipient, type RunRow } from "../list/list-run";

/**
 * Corrects the recipient of a row that failed. Returns the row that is sent next, as a new waiver. The waiver with the wrong
 * recipient is cancelled before, so that it gets no reminders. Throws if the server refuses that.
 */
export async function correctListed(row: RunRow, listed: Listed): Promise<RunRow> {
  if (row.isStored) {
    const supabase = await apiClient();
    const reason = "The recipient was corrected.";
    await unwrap(supabase.rest.rpc("cancel_waiver", { session_id: row.sessionId, reason })).catch(
      ignoreRepetition,
    );
  }
  return withRecipient(row, listed);
}

/** If the response to an earlier attempt was lost, the waiver is cancelled already. */
function ignoreRepetition(error: unknown): void {
  if (!(error instanceof RequestFailed && error.refusal === "waiver_cancelled")) throw error;
}
