import { Dialog } from "~/ui/dialog";
import { TemplateForm, type Draw } from "./template-form";

type Props = { draw: Draw; onClose: () => void };

export default function CreateTemplateDialog({ draw, onClose }: Props) {
  return (
    <Dialog open onClose={onClose} title="Create New Waiver Template" size="xl">
      <TemplateForm
        submit="Create Template"
        done="Template created"
        draw={draw}
        onCancel={onClose}
        onSaved={onClose}
      />
    </Dialog>
  );
}
