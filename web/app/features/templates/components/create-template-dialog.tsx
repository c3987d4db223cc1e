import { Dialog } from "~/ui/dialog";
import { TemplateForm } from "./template-form";

export default function CreateTemplateDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title="Create New Waiver Template" size="lg">
      <TemplateForm submit="Create Template" done="Template created" onCancel={onClose} onSaved={onClose} />
    </Dialog>
  );
}
