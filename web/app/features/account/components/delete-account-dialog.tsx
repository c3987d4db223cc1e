import { errorMessage } from "~/lib/error-message";
import { RequestFailed } from "~/lib/request-failed";
import { Button } from "~/ui/button";
import { Dialog, DialogActions } from "~/ui/dialog";
import { FieldError } from "~/ui/field";
import { useDeleteAccount } from "../api/deletion";
import { SignInAgainButton } from "./sign-in-again-button";

export default function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const deletion = useDeleteAccount();
  const needsSignIn =
    deletion.error instanceof RequestFailed && deletion.error.code === "recent_sign_in_needed";
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
      {deletion.error && (
        <div className="mt-4">
          <FieldError>{errorMessage(deletion.error)}</FieldError>
        </div>
      )}
      <DialogActions>
        <Button variant="secondary" onClick={onClose}>
          Keep my account
        </Button>
        {needsSignIn ? (
          <SignInAgainButton />
        ) : (
          <Button
            variant="danger"
            busy={deletion.isPending}
            onClick={() => deletion.mutate(undefined, { onSuccess: onClose })}
          >
            Delete my account
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
