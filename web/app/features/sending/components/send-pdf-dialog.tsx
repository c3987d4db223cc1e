import { FileSearch } from "lucide-react";
import { useState } from "react";
import { Button } from "~/ui/button";
import { Dialog, DialogActions } from "~/ui/dialog";
import type { Sendable } from "../model";
import { useSendForm } from "../use-send-form";
import { PdfPreview } from "./pdf-preview";
import { RecipientFields } from "./recipient-fields";
import { SendProblem } from "./send-problem";

type Props = { template: Sendable; onClose: () => void };

export default function SendPdfDialog({ template, onClose }: Props) {
  const { register, submit, problem, errors, isSending } = useSendForm(template, true);
  const [previewing, setPreviewing] = useState(false);
  return (
    <Dialog open onClose={onClose} title="Send Fillable PDF Waiver" description={template.name}>
      <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-5">
        <RecipientFields
          register={register}
          errors={errors}
          messageHint="Optional. Stands in the email, above the link. The PDF is attached."
        />
        <Button variant="secondary" onClick={() => setPreviewing(true)}>
          <FileSearch aria-hidden /> Preview PDF Template
        </Button>
        <SendProblem>{problem}</SendProblem>
        <DialogActions>
          <Button variant="secondary" onClick={onClose} disabled={isSending}>
            Cancel
          </Button>
          <Button type="submit" busy={isSending}>
            {isSending ? "Sending" : "Send PDF"}
          </Button>
        </DialogActions>
      </form>
      {previewing && <PdfPreview template={template} onClose={() => setPreviewing(false)} />}
    </Dialog>
  );
}
