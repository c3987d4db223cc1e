import { useState } from "react";
import { confirmPassword, hasPassword } from "~/features/account/api/confirm-password";
import { useSignOut } from "~/features/account/api/sign-out";
import { PasswordInput, UsernameInput } from "~/features/account/components/password-input";
import { textField } from "~/features/account/model";
import { errorMessage } from "~/lib/error-message";
import { RequestFailed } from "~/lib/request-failed";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { Dialog, DialogActions } from "~/ui/dialog";
import { Form } from "~/ui/form";

type Props = { onLeave: () => void; onStay: () => void };

/** The guest holds a device of the company, so leaving requires the password, or signs the company out. */
export function LeaveInPersonDialog({ onLeave, onStay }: Props) {
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const signOut = useSignOut(paths.signIn);
  const submit = async (form: HTMLFormElement) => {
    const password = textField(new FormData(form), "password");
    if (!password) return setProblem("Please enter your password");
    setBusy(true);
    try {
      await confirmPassword(password);
      onLeave();
    } catch (error) {
      const isWrong = error instanceof RequestFailed && error.code === "invalid_credentials";
      setProblem(isWrong ? "This is not the password of this account" : errorMessage(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      onClose={onStay}
      title="Leave in-person signing?"
      description="For staff only. Guests: please hand the device back."
    >
      <Form onSubmit={(form) => void submit(form)} className="flex flex-col gap-4">
        {hasPassword() && (
          <>
            <UsernameInput />
            <PasswordInput label="Your password" name="password" error={problem} />
          </>
        )}
        <p className="text-sm text-muted">Without the password you can sign out on this device.</p>
        <DialogActions>
          <Button variant="secondary" busy={signOut.isPending} onClick={() => signOut.mutate()}>
            Sign out
          </Button>
          {hasPassword() && (
            <Button type="submit" busy={isBusy}>
              Leave
            </Button>
          )}
        </DialogActions>
      </Form>
    </Dialog>
  );
}
