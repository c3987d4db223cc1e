import { Download, ExternalLink } from "lucide-react";
import { saveFile } from "~/lib/save-file";
import { Button } from "~/ui/button";
import { Dialog, DialogActions } from "~/ui/dialog";
import { Failure } from "~/ui/failure";
import { Skeleton } from "~/ui/skeleton";
import { useFormPreview } from "../api/form-preview";
import type { SendableTemplate } from "../model";

type Props = { template: SendableTemplate; onClose: () => void };

/**
 * Shows the interactive form in the browser's PDF viewer. In a browser that cannot embed a PDF, as on many
 * phones, the user opens it in a new tab.
 */
export function PdfPreview({ template, onClose }: Props) {
  const { form, url, isError, refetch } = useFormPreview(template.id);
  return (
    <Dialog open onClose={onClose} title="PDF Template Preview" description={template.name} size="lg">
      {isError && !form && (
        <Failure title="The PDF could not be made" onRetry={() => void refetch()}>
          The server did not answer. What you filled in is still there.
        </Failure>
      )}
      {!isError && !url && (
        <div role="status">
          <span className="sr-only">Loading the PDF</span>
          <Skeleton className="h-[60dvh]" />
        </div>
      )}
      {form && url && (
        <>
          {navigator.pdfViewerEnabled ? (
            // oxlint-disable-next-line react/iframe-missing-sandbox -- no browser shows a PDF in a sandboxed frame, and the content comes from our own server
            <iframe
              title={`PDF of ${template.name}`}
              src={`${url}#navpanes=0&view=FitH`}
              className="h-[60dvh] w-full shrink-0 rounded-control border border-line bg-sunken"
            />
          ) : (
            <p className="py-6 text-center text-muted">
              This browser shows PDFs in a page of their own. Open it, or download it.
            </p>
          )}
          <DialogActions>
            <Button variant="secondary" onClick={() => saveFile(form, `${template.name} (to sign).pdf`)}>
              <Download aria-hidden /> Download
            </Button>
            <Button asChild variant="secondary">
              <a href={url} target="_blank" rel="noreferrer">
                <ExternalLink aria-hidden /> Open in a new tab
              </a>
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}
