import { useEffect, useRef, useState, type ReactNode } from "react";
import { Button } from "~/ui/button";
import { Field } from "~/ui/field";
import { Input } from "~/ui/input";
import { messageOf } from "../model";

type Props = {
  label: string;
  hint: string;
  submit: string;
  /** Six digits get the number keys of a phone; recovery codes have letters. */
  numeric?: boolean;
  onCode: (code: string) => Promise<void>;
  children?: ReactNode;
};

/** Asks for one code and says beside it why it was not accepted. */
export function CodeForm({ label, hint, submit, numeric = false, onCode, children }: Props) {
  const [code, setCode] = useState("");
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  // It comes after something the person did, and is what they do next.
  useEffect(() => input.current?.focus(), []);
  const send = async () => {
    if (!code.trim()) {
      setProblem("Please enter the code");
      return;
    }
    setBusy(true);
    try {
      await onCode(code);
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
        void send();
      }}
      className="flex flex-col gap-4"
    >
      <Field label={label} hint={hint} error={problem}>
        {(control) => (
          <Input
            {...control}
            ref={input}
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
          {submit}
        </Button>
        {children}
      </div>
    </form>
  );
}
