import { useState, type ReactNode } from "react";
import { Button } from "~/ui/button";
import { Field } from "~/ui/field";
import { focusElement } from "~/ui/focus-element";
import { Form } from "~/ui/form";
import { Input } from "~/ui/input";
import { useSubmission } from "../use-submission";

type Props = {
  label: string;
  hint: string;
  submitLabel: string;
  /** Shows the numeric keyboard on phones. Recovery codes need the full keyboard. */
  numeric?: boolean;
  onCode: (code: string) => Promise<void>;
  children?: ReactNode;
};

/** Shows a field for a code, and the reason if the code was not accepted. */
export function CodeForm({ label, hint, submitLabel, numeric = false, onCode, children }: Props) {
  const [code, setCode] = useState("");
  const { problem, setProblem, isBusy, submit } = useSubmission();
  const send = async () => {
    if (!code.trim()) {
      setProblem("Please enter the code");
      return;
    }
    await submit(() => onCode(code));
  };

  return (
    <Form onSubmit={() => void send()} className="flex flex-col gap-4">
      <Field label={label} hint={hint} error={problem}>
        {(control) => (
          <Input
            {...control}
            ref={focusElement}
            value={code}
            onChange={(event) => {
              setCode(event.target.value);
              setProblem(undefined);
            }}
            autoComplete="one-time-code"
            inputMode={numeric ? "numeric" : "text"}
            autoCapitalize="none"
            spellCheck={false}
            className="font-mono tracking-widest"
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={isBusy}>
          {submitLabel}
        </Button>
        {children}
      </div>
    </Form>
  );
}
