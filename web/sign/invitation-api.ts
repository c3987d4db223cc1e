import type { InvitationApi } from "../app/features/signing/form/adult-invitations";
import { newId } from "../app/lib/new-id";
import type { CallFunction } from "./functions";
import type { RestRequest, RestResult } from "./rest";
import { newSession } from "./submission";
import type { Waiver } from "./waiver";

const NO_CONNECTION = "There is no connection at the moment. Please try again, or go on with the others.";

/** Invites adults in the name of the guest. As proof, the server requires only the id in the guest's link. */
export function invitationApi(
  request: RestRequest,
  callFunction: CallFunction,
  waiver: Waiver,
): InvitationApi {
  // A second attempt after a lost response uses the same id, so that there is no second session.
  const newSessionId = newId();
  return {
    canSend: Boolean(waiver.companyId),
    openSession: async ({ sessionId }) => {
      const known = waiver.sessionId ?? sessionId;
      if (known) return known;
      requireRow(await request("POST", "waiver_sessions?select=id", newSession(waiver, newSessionId) ?? {}));
      return newSessionId;
    },
    invite: async (sessionId, { id, name, birthDate }) => {
      const body = { session_id: sessionId, invited_id: id, name, birth_date: birthDate };
      requireRow(await request("POST", "rpc/invite_adult", body));
    },
    send: async (sessionId, invitedId, recipient) => {
      const body = { session_id: sessionId, invited_session_id: invitedId, ...recipient };
      const response = await callFunction("send-invitation", body);
      if (response?.ok) return;
      const payload = await response?.json().catch(() => null);
      throw new Error(payload?.error ?? NO_CONNECTION);
    },
    offersTextMessages: async () => {
      const response = await callFunction("text-messages", {});
      return (await response?.json())?.offered === true;
    },
  };
}

function requireRow(result: RestResult<unknown>): void {
  if (result.kind === "refused") throw new Error(result.message);
  if (result.kind !== "row") throw new Error(NO_CONNECTION);
}
