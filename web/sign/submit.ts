import { fillPlaceholders } from "../app/features/signing/model";
import { SESSION_NOT_UPDATED } from "../app/lib/signing";
import type { RestRequest } from "./rest";
import type { Submission } from "./submission";
import { SESSION_COLUMNS, fromSession, type SessionRow, type Waiver } from "./waiver";

export type SubmissionResult =
  | { kind: "stored" }
  | { kind: "unreachable" }
  /** The waiver has expired or was cancelled, so it can no longer be signed. */
  | { kind: "closed"; isCancelled: boolean }
  | { kind: "changed"; waiver: Waiver }
  /** `details` name the question or the person, if the waiver has a form. */
  | { kind: "refused"; problem: string; code?: string; details?: unknown };

export async function submit(request: RestRequest, submission: Submission): Promise<SubmissionResult> {
  const { session, waiver } = submission;
  if (session) {
    const result = await request<SessionRow>("POST", `waiver_sessions?select=${SESSION_COLUMNS}`, session);
    if (result.kind === "unreachable") return result;
    if (result.kind === "refused") return { kind: "refused", problem: "Failed to create waiver session." };
    const lookup = fromSession(requireId(session.id, result.row));
    // If the template or the company's name was edited since the page was opened, the signer must read it again.
    if (lookup.kind === "waiver" && !hasSameContent(lookup.waiver, submission))
      return { kind: "changed", waiver: lookup.waiver };
  }
  const result = await request<{ id: string }>("POST", "signed_waivers?select=id,signed_at", waiver);
  if (result.kind === "unreachable") return result;
  if (result.kind === "row") {
    requireId(waiver.id, result.row);
    return { kind: "stored" };
  }
  const isCancelled = result.code === "waiver_cancelled";
  if (isCancelled || result.code === "waiver_expired") return { kind: "closed", isCancelled };
  if (["session_not_found", "template_empty"].includes(result.code))
    return { kind: "refused", problem: result.message };
  const { code, message, details } = result;
  return { kind: "refused", problem: `Failed to store signed waiver: ${message}`, code, details };
}

/**
 * Throws if the row has another id than the one that was sent. A captive portal can also respond with status 200, so
 * only a response with our id is trusted.
 */
function requireId<Row extends { id: string }>(id: string, row: Row): Row {
  if (row.id !== id) throw new Error("Unexpected response id.");
  return row;
}

function hasSameContent(current: Waiver, { waiver, form }: Submission): boolean {
  const names = { participant: waiver.signer_name, company: current.company };
  return (
    waiver.content === fillPlaceholders(current.content, names) &&
    JSON.stringify(form) === JSON.stringify(current.form)
  );
}

/** Returns an empty string if the session is signed or could not be read. */
export async function warningIfSessionIsUnsigned(request: RestRequest, id: string): Promise<string> {
  const result = await request<{ status: string }>("GET", `waiver_sessions?select=status&id=eq.${id}`);
  const isUnsigned = result.kind === "row" && result.row.status !== "signed";
  return isUnsigned ? SESSION_NOT_UPDATED : "";
}
