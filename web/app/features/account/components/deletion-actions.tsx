import { errorMessage } from "~/lib/error-message";
import { RequestFailed } from "~/lib/request-failed";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { DialogActions } from "~/ui/dialog";
import { FieldError } from "~/ui/field";
import type { useDeleteAccount } from "../api/deletion";
import { useSignOut } from "../api/sign-out";

type Props = {
  deletion: ReturnType<typeof useDeleteAccount>;
  keepLabel: string;
  deleteLabel: string;
  isDisabled?: boolean;
  onClose: () => void;
};

/**
 * Shows the error and the buttons of a dialog that deletes an account or a company. Someone who signed in long ago has
 * to sign in again.
 */
export function DeletionActions({ deletion, keepLabel, deleteLabel, isDisabled = false, onClose }: Props) {
  const needsSignIn =
    deletion.error instanceof RequestFailed && deletion.error.code === "recent_sign_in_needed";
  return (
    <>
      {deletion.error && (
        <div className="mt-4">
          <FieldError>{errorMessage(deletion.error)}</FieldError>
        </div>
      )}
      <DialogActions>
        <Button variant="secondary" onClick={onClose}>
          {keepLabel}
        </Button>
        {needsSignIn ? (
          <SignInAgainButton />
        ) : (
          <Button
            variant="danger"
            disabled={isDisabled}
            busy={deletion.isPending}
            onClick={() => deletion.mutate(undefined, { onSuccess: onClose })}
          >
            {deleteLabel}
          </Button>
        )}
      </DialogActions>
    </>
  );
}

function SignInAgainButton() {
  const signOut = useSignOut(paths.signIn);
  return (
    <Button busy={signOut.isPending} onClick={() => signOut.mutate()}>
      Sign in again
    </Button>
  );
}
