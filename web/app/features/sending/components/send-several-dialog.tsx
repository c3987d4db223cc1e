import { useState, type FormEvent } from "react";
import { isUnreachable } from "~/lib/reach";
import { useIsTextingOffered } from "~/lib/texting";
import { Button } from "~/ui/button";
import { Dialog, DialogActions } from "~/ui/dialog";
import { Field } from "~/ui/field";
import { Textarea } from "~/ui/input";
import { useSendSeveral } from "../api/send-several";
import { UNSENT, type Sendable } from "../model";
import { hintFor, problemWith, readList, textsAmong } from "../several";
import { TextsAhead } from "./texts-ahead";

type Props = { template: Sendable; onClose: () => void };

/** A morning's list, pasted. */
export default function SendSeveralDialog({ template, onClose }: Props) {
  const isTexting = useIsTextingOffered();
  const [list, setList] = useState("");
  const [message, setMessage] = useState("");
  const [asPdf, setAsPdf] = useState(false);
  const [told, setTold] = useState<string>();
  // How many text messages somebody was asked about; another list is another question.
  const [askedAbout, setAskedAbout] = useState(0);
  const { send, stop, done } = useSendSeveral();
  const { recipients, wrong } = readList(list, isTexting);
  const problem = problemWith(recipients.length, wrong, isTexting);
  const texts = textsAmong(recipients);
  const isAsked = texts > 0 && askedAbout === texts;

  const answer = isAsked ? "Send all of them" : "Send to all";

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const refusal = problem ?? (isUnreachable() ? UNSENT : undefined);
    setTold(refusal);
    if (refusal) return;
    if (texts > 0 && !isAsked) return setAskedAbout(texts);
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
          hint={hintFor(recipients.length, isTexting)}
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
              placeholder={`Gil Moreau, gil@example.com${isTexting ? ", +1 212 555 0123" : ""}`}
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
        {isAsked && done === null && <TextsAhead count={texts} />}
        <DialogActions>
          <Button variant="secondary" onClick={close}>
            {done === null ? "Cancel" : "Stop"}
          </Button>
          <Button type="submit" busy={done !== null}>
            {done === null ? answer : `Sending ${done + 1} of ${recipients.length}`}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
