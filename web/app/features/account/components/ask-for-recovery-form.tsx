import { useState } from "react";
import { authClient } from "~/lib/auth";
import { Button } from "~/ui/button";
import { Field } from "~/ui/field";
import { Input } from "~/ui/input";
import { messageOf, textIn } from "../model";

/** Says the same whether or not the address has an account: that is the business of its owner alone. */
export function AskForRecoveryForm() {
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [sentTo, setSentTo] = useState<string>();
  const ask = async (email: string) => {
    if (!email.trim()) {
      setProblem("Please enter your email");
      return;
    }
    setBusy(true);
    try {
      const { askForRecovery } = await import("../api/ask-for-recovery");
      await askForRecovery(email);
      setSentTo(email.trim());
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
        void ask(textIn(new FormData(event.currentTarget), "email"));
      }}
      onChange={() => setProblem(undefined)}
      className="flex flex-col gap-5"
    >
      <Field label="Email" error={problem}>
        {(control) => (
          <Input
            {...control}
            name="email"
            type="email"
            autoComplete="email"
            inputMode="email"
            onFocus={() => void authClient()}
          />
        )}
      </Field>
      <div role="status" className="empty:-mb-5">
        {sentTo && (
          <p className="rounded-card border border-line bg-sunken/60 px-4 py-3 text-[0.9375rem]">
            If an account belongs to <strong className="font-semibold break-words">{sentTo}</strong>, a mail
            is on its way. Open the link in it to choose a new password. Nothing there? Look among the spam.
          </p>
        )}
      </div>
      <Button type="submit" size="lg" busy={isBusy} variant={sentTo ? "secondary" : "primary"}>
        {sentTo ? "Send the mail again" : "Send me a link"}
      </Button>
    </form>
  );
}
