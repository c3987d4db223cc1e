import { Dialog } from "~/ui/dialog";
import { useDeleteAccount } from "../api/deletion";
import { DeletionActions } from "./deletion-actions";

export default function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const deletion = useDeleteAccount();
  return (
    <Dialog open onClose={onClose} title="Delete your account?">
      <ul className="ms-5 flex list-disc flex-col gap-2 text-muted">
        <li>Your profile, your picture, your password and your sign-ins are deleted.</li>
        <li>A plan that you pay for ends. What you paid so far stays in our books.</li>
        <li>
          The waivers you signed stay with the companies. To have them erased, ask the company first, under
          Your Data.
        </li>
        <li>
          It does not happen at once. A note on every page then says until when you can keep your account.
        </li>
      </ul>
      <DeletionActions
        deletion={deletion}
        keepLabel="Keep my account"
        deleteLabel="Delete my account"
        onClose={onClose}
      />
    </Dialog>
  );
}
