import { Dialog } from "~/ui/dialog";
import EmailSettings from "./email-settings";

export default function EmailDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title="Email Service Configuration" size="lg">
      <EmailSettings />
    </Dialog>
  );
}
