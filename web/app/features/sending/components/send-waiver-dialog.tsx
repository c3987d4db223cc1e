import { CheckboxField } from "~/ui/checkbox-field";
import type { SendableTemplate } from "../model";
import { useSendForm } from "../use-send-form";
import { SendFormDialog } from "./send-form-dialog";

type Props = { template: SendableTemplate; onClose: () => void };

export default function SendWaiverDialog({ template, onClose }: Props) {
  const form = useSendForm(template, false);
  return (
    <SendFormDialog
      title="Send Waiver"
      template={template}
      form={form}
      messageHint="Optional. Shown in the email, above the link."
      submitLabel={form.asPdf ? "Send PDF" : "Send Waiver"}
      onClose={onClose}
    >
      <CheckboxField {...form.register("asPdf")}>
        Send as interactive PDF (recipient can fill and sign)
      </CheckboxField>
    </SendFormDialog>
  );
}
