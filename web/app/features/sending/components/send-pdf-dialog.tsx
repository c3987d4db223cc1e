import { FileSearch } from "lucide-react";
import { useState } from "react";
import { Button } from "~/ui/button";
import type { SendableTemplate } from "../model";
import { useSendForm } from "../use-send-form";
import { PdfPreview } from "./pdf-preview";
import { SendFormDialog } from "./send-form-dialog";

type Props = { template: SendableTemplate; onClose: () => void };

export default function SendPdfDialog({ template, onClose }: Props) {
  const form = useSendForm(template, true);
  const [isPreviewing, setPreviewing] = useState(false);
  return (
    <SendFormDialog
      title="Send Fillable PDF Waiver"
      template={template}
      form={form}
      messageHint="Optional. Shown in the email, above the link. The PDF is attached."
      submitLabel="Send PDF"
      onClose={onClose}
      preview={isPreviewing && <PdfPreview template={template} onClose={() => setPreviewing(false)} />}
    >
      <Button variant="secondary" onClick={() => setPreviewing(true)}>
        <FileSearch aria-hidden /> Preview PDF Template
      </Button>
    </SendFormDialog>
  );
}
