import { errorMessage } from "~/lib/error-message";
import { useRef, useState } from "react";
import { Button } from "~/ui/button";
import { Field, FieldError } from "~/ui/field";
import { Form } from "~/ui/form";
import { Input } from "~/ui/input";
import { toast } from "~/ui/toast-store";
import { changePassword, requestNonce } from "../api/change-password";
import { hasPassword } from "../api/confirm-password";
import { textField } from "../model";
import { PasswordInput, UsernameInput } from "./password-input";

/**
 * Requires the current password, so that no one can change it on a screen that was left unattended. If the server demands
 * reauthentication, the form also requires an emailed code.
 */
export function ChangePasswordForm() {
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [needsEmailedCode, setNeedsEmailedCode] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const needsCurrentPassword = hasPassword();
  const errorOf = (field: Problem["field"]) => (problem?.field === field ? problem.message : undefined);

  const submit = async (values: FormData) => {
    const inputProblem = firstMissing(values, needsCurrentPassword);
    setProblem(inputProblem);
    if (inputProblem) return;
    setBusy(true);
    try {
      await changePassword({
        password: textField(values, "password"),
        currentPassword: textField(values, "current"),
        nonce: textField(values, "nonce"),
      });
      form.current?.reset();
      setNeedsEmailedCode(false);
      toast({ title: "Password changed", description: "Every other session was signed out." });
    } catch (error) {
      if (!hasCode(error, "reauthentication_needed")) return setProblem(problemOf(error));
      await requestNonce().then(
        () => setNeedsEmailedCode(true),
        (cause: unknown) => setProblem(problemOf(cause)),
      );
    } finally {
      setBusy(false);
    }
  };

  return (
    <Form
      ref={form}
      onSubmit={(element) => void submit(new FormData(element))}
      onChange={() => setProblem(null)}
      className="flex max-w-md flex-col gap-5"
    >
      <UsernameInput />
      {needsCurrentPassword && (
        <PasswordInput label="Current password" name="current" error={errorOf("current")} />
      )}
      <PasswordInput isNew label="New password" name="password" error={errorOf("password")} />
      {needsEmailedCode && (
        <Field
          label="Code from the mail"
          hint="You signed in a while ago, so we sent a code to your address."
          error={errorOf("nonce")}
        >
          {(control) => <Input {...control} name="nonce" autoComplete="one-time-code" inputMode="numeric" />}
        </Field>
      )}
      {problem?.field === "form" && <FieldError>{problem.message}</FieldError>}
      <Button type="submit" variant="secondary" className="self-start" busy={isBusy}>
        Change password
      </Button>
    </Form>
  );
}

type Problem = { field: "current" | "password" | "nonce" | "form"; message: string };

function firstMissing(values: FormData, needsCurrentPassword: boolean): Problem | null {
  if (needsCurrentPassword && !textField(values, "current")) {
    return { field: "current", message: "Please enter your current password" };
  }
  if (!textField(values, "password")) return { field: "password", message: "Please enter your new password" };
  return null;
}

/** Assigns the message to the field it is about. */
function problemOf(error: unknown): Problem {
  const message = errorMessage(error);
  if (hasCode(error, "invalid_credentials")) {
    return { field: "current", message: "This is not your current password" };
  }
  if (hasCode(error, "reauthentication_not_valid")) return { field: "nonce", message };
  const isAboutNewPassword = hasCode(error, "weak_password") || hasCode(error, "same_password");
  return { field: isAboutNewPassword ? "password" : "form", message };
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;
