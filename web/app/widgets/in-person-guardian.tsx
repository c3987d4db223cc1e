import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Smartphone } from "lucide-react";
import { useCallback, useEffect } from "react";
import { createSession } from "~/features/in-person/api/create-session";
import { useIsSigned } from "~/features/in-person/api/use-is-signed";
import { SESSION_REFUSED } from "~/features/in-person/model";
import type { WaiverToSign } from "~/features/in-person/use-waiver-to-sign";
import "~/features/signing/form/adult-invitations.css";
import "~/features/signing/form/form-steps.css";
import { LinkToShare, type Recipient } from "~/features/signing/form/link-to-share";
import "~/features/signing/signing-form.css";
import { apiClient } from "~/lib/api";
import { callFunction } from "~/lib/functions";
import { textingQuery } from "~/lib/texting";
import { Button } from "~/ui/button";
import { Notice, NoticeButton } from "~/ui/notice";
import { Skeleton } from "~/ui/skeleton";

type Props = { waiver: WaiverToSign; onSigned: () => void; onNext: () => void };

/** Shows and sends the link for a guardian who is not here. Calls `onSigned` once the guardian has signed. */
export default function InPersonGuardian({ waiver: { session, isNewSession }, onSigned, onNext }: Props) {
  const link = useQuery({
    queryKey: ["guardian-link", session.id],
    // If the page was opened for a template, there is no session yet, and the link needs one.
    queryFn: async () => {
      if (isNewSession) await createSession(await apiClient(), session);
      return session.id;
    },
    retry: false,
    staleTime: Infinity,
  });
  return (
    <div className="mx-auto w-full max-w-xl px-4 py-8 sm:px-6">
      <h2 className="text-2xl font-semibold tracking-tight">Ask a parent or guardian to sign</h2>
      <p className="mt-2 mb-6 text-pretty text-muted">
        They read and sign {session.template_name} on their own phone, wherever they are.
      </p>
      {link.isPending && (
        <div role="status">
          <span className="sr-only">Making the link...</span>
          <Skeleton className="h-80" />
        </div>
      )}
      {link.isError && (
        <Notice
          icon={Smartphone}
          tone="red"
          action={<NoticeButton onClick={() => void link.refetch()}>Try again</NoticeButton>}
        >
          {SESSION_REFUSED}
        </Notice>
      )}
      {link.data && <Waiting sessionId={link.data} onSigned={onSigned} onNext={onNext} />}
    </div>
  );
}

type WaitingProps = { sessionId: string; onSigned: () => void; onNext: () => void };

function Waiting({ sessionId, onSigned, onNext }: WaitingProps) {
  const queries = useQueryClient();
  const offersTextMessages = useCallback(() => queries.fetchQuery(textingQuery), [queries]);
  const isSigned = useIsSigned(sessionId);
  useEffect(() => {
    if (isSigned) onSigned();
  }, [isSigned, onSigned]);
  const send = async (recipient: Recipient) => {
    await callFunction("send-invitation", { session_id: sessionId, ...recipient });
  };
  return (
    <>
      <div className="signing [&_h3]:text-lg [&_h3]:font-semibold">
        <LinkToShare
          id={sessionId}
          name="the parent or guardian"
          heading="They sign with their own link"
          send={send}
          offersTextMessages={offersTextMessages}
          isNew
        />
      </div>
      <p role="status" className="mt-6 text-pretty text-muted">
        This page changes as soon as they have signed. You do not have to wait here: the staff see it too.
      </p>
      <Button variant="secondary" className="mt-4" onClick={onNext}>
        Next guest
      </Button>
    </>
  );
}
