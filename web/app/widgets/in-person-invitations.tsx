import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { createSession } from "~/features/in-person/api/create-session";
import type { WaiverToSign } from "~/features/in-person/use-waiver-to-sign";
import {
  AdultInvitations,
  type InvitationApi,
  type InvitationsProps,
} from "~/features/signing/form/adult-invitations";
import "~/features/signing/form/adult-invitations.css";
import { apiClient } from "~/lib/api";
import { callFunction } from "~/lib/functions";
import { unwrap } from "~/lib/request";
import { textingQuery } from "~/lib/texting";

type Props = InvitationsProps & { waiver: WaiverToSign };

/** Shows, on the company's device, the links with which invited adults sign. */
export default function InPersonInvitations({ waiver, ...props }: Props) {
  const queries = useQueryClient();
  const { session, isNewSession } = waiver;
  // For each new object, `LinkToShare` would request again whether text messages are offered. So the object
  // stays the same while the guest types.
  // oxlint-disable-next-line react/exhaustive-deps
  const api = useMemo(() => invitationApi(waiver, queries), [session.id, isNewSession, queries]);
  return <AdultInvitations {...props} api={api} />;
}

function invitationApi({ session, isNewSession }: WaiverToSign, queries: QueryClient): InvitationApi {
  return {
    canSend: true,
    openSession: async () => {
      if (isNewSession) await createSession(await apiClient(), session);
      return session.id;
    },
    invite: async (sessionId, { id, name, birthDate }) => {
      const { rest } = await apiClient();
      await unwrap(
        rest.rpc("invite_adult", { session_id: sessionId, invited_id: id, name, birth_date: birthDate }),
      );
    },
    send: async (sessionId, invitedId, recipient) => {
      const body = { session_id: sessionId, invited_session_id: invitedId, ...recipient };
      await callFunction("send-invitation", body);
    },
    offersTextMessages: () => queries.fetchQuery(textingQuery),
  };
}
