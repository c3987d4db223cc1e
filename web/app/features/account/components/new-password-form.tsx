import { useState } from "react";
import { Button } from "~/ui/button";
import { changePassword } from "../api/change-password";
import { messageOf, textIn } from "../model";
import { PasswordInput, WhosePassword } from "./password-input";

/** For someone who came by the link in their mail; the link itself has proven who they are. */
export default function NewPasswordForm({ onChanged }: { onChanged: () => Promise<void> }) {
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (form: FormData) => {
    const password = textIn(form, "password");
    if (!password) {
      setProblem("Please enter your new password");
      return;
    }
    setBusy(true);
    try {
      await changePassword({ password });
      await onChanged();
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <form
      method="post"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit(new FormData(event.currentTarget));
      }}
      onChange={() => setProblem(undefined)}
      className="flex flex-col gap-5"
    >
      <WhosePassword />
      <PasswordInput isNew label="New password" name="password" error={problem} />
      <Button type="submit" size="lg" busy={isBusy}>
        {isBusy ? "Saving password" : "Save password"}
      </Button>
    </form>
  );
}
