import { Ban, Download } from "lucide-react";
import { useState, type ReactNode } from "react";
import { exactTime } from "~/lib/dates";
import { Button } from "~/ui/button";
import { Dialog, DialogActions } from "~/ui/dialog";
import { Notice } from "~/ui/notice";
import { useDownloadDocument } from "../api/download-document";
import type { SignedRecord } from "../api/signed-waiver";
import { EvidenceDownloads } from "./evidence-downloads";
import { RevokeWaiverDialog } from "./revoke-waiver-dialog";
import { WaiverHistory } from "./waiver-history";

/** `children` is the rendered text of the signed waiver. */
type Props = { waiver: SignedRecord; onClose: () => void; children: ReactNode };

export function SignedWaiverDialog({ waiver, onClose, children }: Props) {
  const { download, isFetching } = useDownloadDocument();
  const [isRevoking, setRevoking] = useState(false);
  if (isRevoking)
    return <RevokeWaiverDialog waiver={waiver} onKeep={() => setRevoking(false)} onRevoked={onClose} />;
  return (
    <Dialog open onClose={onClose} title={waiver.template_name} description="Signed waiver" size="lg">
      {waiver.revoked_at && (
        <div className="mb-5">
          <Notice tone="red" icon={Ban} title={waiver.superseded_by ? "Superseded" : "Revoked"}>
            on {exactTime(new Date(waiver.revoked_at))}: {waiver.revoke_reason}
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
      <dl className="mt-5 grid gap-x-8 gap-y-4 sm:grid-cols-2">
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
        {!waiver.revoked_at && (
          <Button variant="ghost" onClick={() => setRevoking(true)}>
            <Ban aria-hidden /> Revoke
          </Button>
        )}
        <Button variant="secondary" busy={isFetching} onClick={() => void download(waiver)}>
          {!isFetching && <Download aria-hidden />} Download PDF
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-muted">{name}</dt>
      <dd dir="auto" className="font-medium wrap-break-word">
        {children}
      </dd>
    </div>
  );
}
