import { Dialog } from "~/ui/dialog";
import { TemplateForm, type RenderText } from "./template-form";

type Props = { renderText: RenderText; onClose: () => void };

export default function CreateTemplateDialog({ renderText, onClose }: Props) {
  return (
    <Dialog open onClose={onClose} title="Create New Waiver Template" size="xl">
      <TemplateForm
        submitLabel="Create Template"
        toastTitle="Template created"
        renderText={renderText}
        onCancel={onClose}
        onSaved={onClose}
      />
    </Dialog>
  );
}
