import { useState, type FormEvent } from "react";
import { isAway } from "~/lib/reach";
import { Button } from "~/ui/button";
import { Dialog, DialogActions } from "~/ui/dialog";
import { Field } from "~/ui/field";
import { Textarea } from "~/ui/input";
import { useSendSeveral } from "../api/send-several";
import { UNSENT, type Sendable } from "../model";
import { MOST_AT_ONCE, readList } from "../several";

type Props = { template: Sendable; onClose: () => void };

/** A morning's list, pasted. */
export default function SendSeveralDialog({ template, onClose }: Props) {
  const [list, setList] = useState("");
  const [message, setMessage] = useState("");
  const [asPdf, setAsPdf] = useState(false);
  const [told, setTold] = useState<string>();
  const { send, stop, done } = useSendSeveral();
  const { recipients, wrong } = readList(list);
  const problem = problemWith(recipients.length, wrong);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const refusal = problem ?? (isAway() ? UNSENT : undefined);
    setTold(refusal);
    if (refusal) return;
    await send({ template, recipients, message, asPdf });
    onClose();
  };
  const close = () => {
    stop();
    onClose();
  };
  return (
    <Dialog open onClose={close} title="Send to Several People" description={template.name}>
      <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-5">
        <Field
          label="Recipients"
          required
          hint={`One person a line: first name, last name, email. ${recipients.length} so far.`}
          error={told && (problem ?? told)}
        >
          {(control) => (
            <Textarea
              {...control}
              value={list}
              onChange={(event) => setList(event.target.value)}
              rows={6}
              maxLength={50_000}
              dir="auto"
              placeholder="Gil Moreau, gil@example.com"
            />
          )}
        </Field>
        <Field label="Email Message" hint="Optional. The same for everyone, above the link.">
          {(control) => (
            <Textarea
              {...control}
              value={message}
              onChange={(event) => setMessage(event.target.value)}
              rows={3}
              maxLength={5000}
              dir="auto"
            />
          )}
        </Field>
        <label className="flex min-h-11 items-center gap-3">
          <input
            type="checkbox"
            checked={asPdf}
            onChange={(event) => setAsPdf(event.target.checked)}
            className="size-5 shrink-0 accent-forest"
          />
          Send as interactive PDF (recipient can fill and sign)
        </label>
        <DialogActions>
          <Button variant="secondary" onClick={close}>
            {done === null ? "Cancel" : "Stop"}
          </Button>
          <Button type="submit" busy={done !== null}>
            {done === null ? "Send to all" : `Sending ${done + 1} of ${recipients.length}`}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function problemWith(count: number, wrong: string[]): string | undefined {
  if (wrong.length > 0)
    return `Please give each person a first name, a last name and an email: ${wrong.slice(0, 3).join(" · ")}`;
  if (count === 0) return "Please name at least one person.";
  return count > MOST_AT_ONCE ? `Please send to at most ${MOST_AT_ONCE} people at once.` : undefined;
}
