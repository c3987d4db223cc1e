import { useState } from "react";
import { Button } from "~/ui/button";
import { Field } from "~/ui/field";
import { Form } from "~/ui/form";
import { textField } from "../model";
import { useSubmission } from "../use-submission";
import { EmailInput } from "./email-input";

/** Shows the same message whether or not the address has an account, so that the form does not reveal accounts. */
export function PasswordResetRequestForm() {
  const { problem, setProblem, isBusy, submit } = useSubmission();
  const [sentTo, setSentTo] = useState<string>();
  const send = async (email: string) => {
    if (!email.trim()) {
      setProblem("Please enter your email");
      return;
    }
    await submit(async () => {
      const { requestPasswordReset } = await import("../api/request-password-reset");
      await requestPasswordReset(email);
      setSentTo(email.trim());
    });
  };

  return (
    <Form
      onSubmit={(form) => void send(textField(new FormData(form), "email"))}
      onChange={() => setProblem(undefined)}
      className="flex flex-col gap-5"
    >
      <Field label="Email" error={problem}>
        {(control) => <EmailInput {...control} />}
      </Field>
      <div role="status" className="empty:-mb-5">
        {sentTo && (
          <p className="rounded-card border border-line bg-sunken/60 px-4 py-3 text-[0.9375rem]">
            If an account belongs to <strong className="font-semibold wrap-break-word">{sentTo}</strong>, a
            mail is on its way. Open the link in it to choose a new password. Nothing there? Check your spam
            folder.
          </p>
        )}
      </div>
      <Button type="submit" size="lg" busy={isBusy} variant={sentTo ? "secondary" : "primary"}>
        {sentTo ? "Send the mail again" : "Send me a link"}
      </Button>
    </Form>
  );
}
