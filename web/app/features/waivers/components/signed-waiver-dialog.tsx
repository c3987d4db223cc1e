import { Ban, Download, Eraser, Lock, LockOpen } from "lucide-react";
import { useState, type ReactNode } from "react";
import { exactTime } from "~/lib/dates";
import { Button } from "~/ui/button";
import { Dialog, DialogActions } from "~/ui/dialog";
import { Notice } from "~/ui/notice";
import { useDownloadDocument } from "../api/download-document";
import type { SignedRecord } from "../api/signed-waiver";
import { Detail } from "./detail";
import { EraseWaiverDialog } from "./erase-waiver-dialog";
import { EvidenceDownloads } from "./evidence-downloads";
import { HoldWaiverDialog } from "./hold-waiver-dialog";
import { RevokeWaiverDialog } from "./revoke-waiver-dialog";
import { WaiverHistory } from "./waiver-history";

/** `children` is the rendered text of the signed waiver. */
type Props = { waiver: SignedRecord; onClose: () => void; children: ReactNode };

export function SignedWaiverDialog({ waiver, onClose, children }: Props) {
  const { download, isFetching } = useDownloadDocument();
  const [act, setAct] = useState<"revoke" | "hold" | "erase" | null>(null);
  const keep = () => setAct(null);
  if (waiver.erased_at) return <ErasedWaiverDialog waiver={waiver} onClose={onClose} />;
  if (act === "revoke") return <RevokeWaiverDialog waiver={waiver} onKeep={keep} onRevoked={onClose} />;
  if (act === "hold") return <HoldWaiverDialog waiver={waiver} onKeep={keep} onDone={onClose} />;
  if (act === "erase") return <EraseWaiverDialog waiver={waiver} onKeep={keep} onErased={onClose} />;
  return (
    <Dialog open onClose={onClose} title={waiver.template_name} description="Signed waiver" size="lg">
      {waiver.revoked_at && (
        <div className="mb-5">
          <Notice tone="red" icon={Ban} title={waiver.superseded_by ? "Superseded" : "Revoked"}>
            on {exactTime(new Date(waiver.revoked_at))}: {waiver.revoke_reason}
          </Notice>
        </div>
      )}
      {waiver.held_since && (
        <div className="mb-5">
          <Notice tone="amber" icon={Lock} title="On legal hold">
            since {exactTime(new Date(waiver.held_since))}. It cannot be erased.
          </Notice>
        </div>
      )}
      <section
        aria-label="Waiver content"
        tabIndex={0}
        className="max-h-[42dvh] shrink-0 overflow-y-auto rounded-control border border-line bg-ground p-5"
      >
        {waiver.content ? children : <p className="text-muted">No content available</p>}
      </section>
      <dl className="mt-5 grid gap-x-8 gap-y-4 font-medium sm:grid-cols-2">
        <Detail name="Signed by">{waiver.signer_name}</Detail>
        <Detail name="Email">{waiver.signer_email}</Detail>
        <Detail name="Signed on">{exactTime(new Date(waiver.signed_at))}</Detail>
        <Detail name="Session">
          <code className="text-sm">{waiver.session_id}</code>
        </Detail>
      </dl>
      <figure className="mt-5">
        <figcaption className="text-sm text-muted">Signature</figcaption>
        {/* The signature is black, so its background stays white in the dark theme. */}
        <div className="mt-1.5 rounded-control border border-line bg-white p-3">
          <img
            src={waiver.signature}
            alt={`Signature of ${waiver.signer_name}`}
            className="mx-auto max-h-40"
          />
        </div>
      </figure>
      <WaiverHistory sessionId={waiver.session_id} />
      <EvidenceDownloads waiverId={waiver.id} />
      <DialogActions>
        <div className="flex flex-wrap justify-center">
          {!waiver.revoked_at && (
            <Button variant="ghost" onClick={() => setAct("revoke")}>
              <Ban aria-hidden /> Revoke
            </Button>
          )}
          <Button variant="ghost" onClick={() => setAct("hold")}>
            {waiver.held_since ? <LockOpen aria-hidden /> : <Lock aria-hidden />}
            {waiver.held_since ? "Release hold" : "Hold"}
          </Button>
          {!waiver.held_since && (
            <Button variant="ghost" onClick={() => setAct("erase")}>
              <Eraser aria-hidden /> Erase
            </Button>
          )}
        </div>
        <Button variant="secondary" busy={isFetching} onClick={() => void download(waiver)}>
          {!isFetching && <Download aria-hidden />} Download PDF
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function ErasedWaiverDialog({ waiver, onClose }: Pick<Props, "waiver" | "onClose">) {
  return (
    <Dialog open onClose={onClose} title={waiver.template_name} description="Erased waiver" size="lg">
      <Notice tone="stone" icon={Eraser} title="Erased">
        {waiver.erased_at && `on ${exactTime(new Date(waiver.erased_at))}. `}
        The person who signed is no longer known here. The history shows why, and it can still be verified.
      </Notice>
      <WaiverHistory sessionId={waiver.session_id} />
    </Dialog>
  );
}
