import { Download } from "lucide-react";
import type { ReactNode } from "react";
import { exactTime } from "~/lib/dates";
import { Button } from "~/ui/button";
import { Dialog, DialogActions } from "~/ui/dialog";
import { useDownloadDocument } from "../api/download-document";
import type { SignedRecord } from "../api/signed-waiver";
import { WaiverHistory } from "./waiver-history";

/** `children` is the rendered text of the signed waiver. */
type Props = { waiver: SignedRecord; onClose: () => void; children: ReactNode };

export function SignedWaiverDialog({ waiver, onClose, children }: Props) {
  const { download, isFetching } = useDownloadDocument();
  return (
    <Dialog open onClose={onClose} title={waiver.template_name} description="Signed waiver" size="lg">
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
      <WaiverHistory waiver={waiver} />
      <DialogActions>
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
