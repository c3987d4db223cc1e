import { Download } from "lucide-react";
import type { ReactNode } from "react";
import { exactTime } from "~/lib/dates";
import { Button } from "~/ui/button";
import { Dialog, DialogActions } from "~/ui/dialog";
import { LinkButton } from "~/ui/link-button";
import { useDownloadDocument } from "../api/download-document";
import type { SignedRecord } from "../api/signed-waiver";
import { recordPath } from "../model";
import { Detail } from "./detail";
import { SignatureImage } from "./signature-image";
import { NO_CONTENT } from "./waiver-text-card";
import { WaiverNotices } from "./waiver-notices";

/** `children` is the rendered text of the signed waiver. */
type Props = { waiver: SignedRecord; onClose: () => void; children: ReactNode };

/** Shows what was signed. The dialog links to the page of the waiver, which has its history and all actions. */
export function SignedWaiverDialog({ waiver, onClose, children }: Props) {
  const { download, isFetching } = useDownloadDocument();
  const isErased = waiver.erased_at !== null;
  return (
    <Dialog
      open
      onClose={onClose}
      title={waiver.template_name}
      description={isErased ? "Erased waiver" : "Signed waiver"}
      size="lg"
    >
      <div className="flex flex-col gap-5">
        <WaiverNotices waiver={waiver} />
        {!isErased && (
          <>
            <section
              aria-label="Waiver content"
              tabIndex={0}
              className="max-h-[42dvh] shrink-0 overflow-y-auto rounded-control border border-line bg-ground p-5"
            >
              {waiver.content ? children : NO_CONTENT}
            </section>
            <dl className="grid gap-x-8 gap-y-4 font-medium sm:grid-cols-2">
              <Detail name="Signed by">{waiver.signer_name}</Detail>
              <Detail name="Email">{waiver.signer_email}</Detail>
              <Detail name="Signed on">{exactTime(new Date(waiver.signed_at))}</Detail>
            </dl>
            <SignatureImage waiver={waiver} />
          </>
        )}
      </div>
      <DialogActions>
        <LinkButton to={recordPath(waiver.session_id, waiver.id)} variant="secondary">
          History and more
        </LinkButton>
        {!isErased && (
          <Button busy={isFetching} onClick={() => void download(waiver)}>
            {!isFetching && <Download aria-hidden />} Download PDF
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
