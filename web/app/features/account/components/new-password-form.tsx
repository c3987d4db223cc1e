import { Button } from "~/ui/button";
import { Form } from "~/ui/form";
import { changePassword } from "../api/change-password";
import { textField } from "../model";
import { useSubmission } from "../use-submission";
import { PasswordInput, UsernameInput } from "./password-input";

/** Has no field for the current password, because the emailed link already proves the user's identity. */
export default function NewPasswordForm({ onChanged }: { onChanged: () => Promise<void> }) {
  const { problem, setProblem, isBusy, submit } = useSubmission();
  const save = async (form: FormData) => {
    const password = textField(form, "password");
    if (!password) {
      setProblem("Please enter your new password");
      return;
    }
    await submit(async () => {
      await changePassword({ password }).catch(explain);
      await onChanged();
    });
  };

  return (
    <Form
      onSubmit={(form) => void save(new FormData(form))}
      onChange={() => setProblem(undefined)}
      className="flex flex-col gap-5"
    >
      <UsernameInput />
      <PasswordInput isNew label="New password" name="password" error={problem} />
      <Button type="submit" size="lg" busy={isBusy}>
        {isBusy ? "Saving password" : "Save password"}
      </Button>
    </Form>
  );
}

/** The server accepts the link as proof for a day. If the page was open longer, the user needs a new link. */
function explain(error: unknown): never {
  const isTooOld = error instanceof Error && "code" in error && error.code === "reauthentication_needed";
  throw isTooOld ? new Error("You opened the link too long ago. Sign out and request a new one.") : error;
}
