import { useRef, useState } from "react";
import { storedSession } from "~/lib/stored-session";
import { Button } from "~/ui/button";
import { Field, FieldError } from "~/ui/field";
import { Input } from "~/ui/input";
import { toast } from "~/ui/toast-store";
import { changePassword, mailNonce } from "../api/change-password";
import { messageOf, textIn } from "../model";
import { PasswordInput, WhosePassword } from "./password-input";

/** The old password is asked for, so that an open screen is not enough; where the server wants more, a mailed code. */
export function ChangePasswordForm() {
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [asksForCode, setAsksForCode] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const hasPassword = storedSession()?.user.app_metadata?.providers?.includes("email") ?? true;
  const errorOf = (field: Problem["field"]) => (problem?.field === field ? problem.message : undefined);

  const submit = async (typed: FormData) => {
    const missing = firstMissing(typed, hasPassword);
    setProblem(missing);
    if (missing) return;
    setBusy(true);
    try {
      await changePassword({
        password: textIn(typed, "password"),
        current: textIn(typed, "current"),
        nonce: textIn(typed, "nonce"),
      });
      form.current?.reset();
      setAsksForCode(false);
      toast({ title: "Password changed", description: "Every other session was signed out." });
    } catch (error) {
      if (!isRefusal(error, "reauthentication_needed")) return setProblem(problemOf(error));
      await mailNonce().then(
        () => setAsksForCode(true),
        (reason: unknown) => setProblem(problemOf(reason)),
      );
    } finally {
      setBusy(false);
    }
  };

  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit(new FormData(event.currentTarget));
      }}
      onChange={() => setProblem(null)}
      className="flex max-w-md flex-col gap-5"
    >
      <WhosePassword />
      {hasPassword && <PasswordInput label="Current password" name="current" error={errorOf("current")} />}
      <PasswordInput isNew label="New password" name="password" error={errorOf("password")} />
      {asksForCode && (
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
    </form>
  );
}

type Problem = { field: "current" | "password" | "nonce" | "form"; message: string };

function firstMissing(typed: FormData, hasPassword: boolean): Problem | null {
  if (hasPassword && !textIn(typed, "current")) {
    return { field: "current", message: "Please enter your current password" };
  }
  if (!textIn(typed, "password")) return { field: "password", message: "Please enter your new password" };
  return null;
}

/** Beside the field it is about. */
function problemOf(error: unknown): Problem {
  const message = messageOf(error);
  if (isRefusal(error, "invalid_credentials")) {
    return { field: "current", message: "This is not your current password" };
  }
  if (isRefusal(error, "reauthentication_not_valid")) return { field: "nonce", message };
  const isAboutTheNew = isRefusal(error, "weak_password") || isRefusal(error, "same_password");
  return { field: isAboutTheNew ? "password" : "form", message };
}

const isRefusal = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;
