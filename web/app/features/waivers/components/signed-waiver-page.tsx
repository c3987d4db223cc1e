import { Ban, Download, Eraser, Lock, LockOpen } from "lucide-react";
import { useState, type ReactNode } from "react";
import { exactTime } from "~/lib/dates";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { useDownloadDocument } from "../api/download-document";
import type { SignedRecord } from "../api/signed-waiver";
import { recordStatus } from "../model";
import { Detail } from "./detail";
import { EraseWaiverDialog } from "./erase-waiver-dialog";
import { EvidenceDownloads } from "./evidence-downloads";
import { HoldWaiverDialog } from "./hold-waiver-dialog";
import { ParticipantsCard } from "./participants-card";
import { RevokeWaiverDialog } from "./revoke-waiver-dialog";
import { SignatureImage } from "./signature-image";
import { NO_CONTENT, WaiverTextCard } from "./waiver-text-card";
import { WaiverColumns, WaiverFrame } from "./waiver-frame";
import { WaiverTimeline } from "./waiver-timeline";
import { WaiverNotices } from "./waiver-notices";

/** `children` is the rendered text of the signed waiver. */
type Props = { waiver: SignedRecord; children: ReactNode };

type Action = "revoke" | "hold" | "erase";

export function SignedWaiverPage({ waiver, children }: Props) {
  const [action, setAction] = useState<Action | null>(null);
  const close = () => setAction(null);
  const isErased = waiver.erased_at !== null;
  return (
    <WaiverFrame
      title={waiver.signer_name}
      template={waiver.template_name}
      status={recordStatus(waiver)}
      actions={!isErased && <Actions waiver={waiver} onAction={setAction} />}
    >
      <WaiverNotices waiver={waiver} />
      {isErased ? (
        <WaiverTimeline sessionId={waiver.session_id} />
      ) : (
        <WaiverColumns text={<WaiverTextCard>{waiver.content ? children : NO_CONTENT}</WaiverTextCard>}>
          <Details waiver={waiver} />
          <ParticipantsCard waiver={waiver} />
          <WaiverTimeline sessionId={waiver.session_id} />
          <EvidenceDownloads waiverId={waiver.id} />
        </WaiverColumns>
      )}
      {action === "revoke" && <RevokeWaiverDialog waiver={waiver} onKeep={close} onRevoked={close} />}
      {action === "hold" && <HoldWaiverDialog waiver={waiver} onKeep={close} onDone={close} />}
      {action === "erase" && <EraseWaiverDialog waiver={waiver} onKeep={close} onErased={close} />}
    </WaiverFrame>
  );
}

function Actions({ waiver, onAction }: { waiver: SignedRecord; onAction: (action: Action) => void }) {
  const { download, isFetching } = useDownloadDocument();
  return (
    <>
      <Button busy={isFetching} onClick={() => void download(waiver)}>
        {!isFetching && <Download aria-hidden />} Download PDF
      </Button>
      {!waiver.revoked_at && (
        <Button variant="secondary" onClick={() => onAction("revoke")}>
          <Ban aria-hidden /> Revoke
        </Button>
      )}
      <Button variant="secondary" onClick={() => onAction("hold")}>
        {waiver.held_since ? <LockOpen aria-hidden /> : <Lock aria-hidden />}
        {waiver.held_since ? "Release hold" : "Hold"}
      </Button>
      {!waiver.held_since && (
        <Button variant="secondary" onClick={() => onAction("erase")}>
          <Eraser aria-hidden /> Erase
        </Button>
      )}
    </>
  );
}

function Details({ waiver }: { waiver: SignedRecord }) {
  return (
    <Card aria-label="Signer" className="flex flex-col gap-4 p-5 sm:p-6">
      <dl className="grid gap-x-8 gap-y-3 sm:grid-cols-2 lg:grid-cols-1">
        <Detail name="Signed by">{waiver.signer_name}</Detail>
        <Detail name="Email">{waiver.signer_email}</Detail>
        <Detail name="Signed on">{exactTime(new Date(waiver.signed_at))}</Detail>
        <Detail name="Session">
          <code className="text-sm">{waiver.session_id}</code>
        </Detail>
      </dl>
      <SignatureImage waiver={waiver} />
    </Card>
  );
}
