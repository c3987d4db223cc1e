import { useState, type FormEvent } from "react";
import { isUnreachable } from "~/lib/reach";
import { useIsTextingOffered } from "~/lib/texting";
import { Button } from "~/ui/button";
import { CheckboxField } from "~/ui/checkbox-field";
import { Dialog, DialogActions } from "~/ui/dialog";
import { TextareaField } from "~/ui/input-field";
import { useSendSeveral } from "../api/send-several";
import { NOT_SENT_OFFLINE, type Sendable } from "../model";
import { listHint, listProblem, parseRecipientList, countTexts } from "../recipient-list";
import { ConfirmTextsNotice } from "./confirm-texts-notice";

type Props = { template: Sendable; onClose: () => void };

/** Sends to a pasted list of recipients. */
export default function SendSeveralDialog({ template, onClose }: Props) {
  const isTexting = useIsTextingOffered();
  const [list, setList] = useState("");
  const [message, setMessage] = useState("");
  const [asPdf, setAsPdf] = useState(false);
  const [shownProblem, setShownProblem] = useState<string>();
  // The number of text messages the user has been warned about; a changed list needs a new confirmation.
  const [warnedAbout, setWarnedAbout] = useState(0);
  const { send, stop, done } = useSendSeveral();
  const { recipients, invalidLines } = parseRecipientList(list, isTexting);
  const problem = listProblem(recipients.length, invalidLines, isTexting);
  const texts = countTexts(recipients);
  const isWarned = texts > 0 && warnedAbout === texts;
  const sendLabel = isWarned ? "Send all of them" : "Send to all";

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const found = problem ?? (isUnreachable() ? NOT_SENT_OFFLINE : undefined);
    setShownProblem(found);
    if (found) return;
    if (texts > 0 && !isWarned) return setWarnedAbout(texts);
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
        <TextareaField
          label="Recipients"
          required
          hint={listHint(recipients.length, isTexting)}
          error={shownProblem && (problem ?? shownProblem)}
          value={list}
          onChange={(event) => setList(event.target.value)}
          rows={6}
          maxLength={50_000}
          dir="auto"
          placeholder={`Gil Moreau, gil@example.com${isTexting ? ", +1 212 555 0123" : ""}`}
        />
        <TextareaField
          label="Email Message"
          hint="Optional. The same for everyone, above the link."
          value={message}
          onChange={(event) => setMessage(event.target.value)}
          rows={3}
          maxLength={5000}
          dir="auto"
        />
        <CheckboxField checked={asPdf} onChange={(event) => setAsPdf(event.target.checked)}>
          Send as interactive PDF (recipient can fill and sign)
        </CheckboxField>
        {isWarned && done === null && <ConfirmTextsNotice count={texts} />}
        <DialogActions>
          <Button variant="secondary" onClick={close}>
            {done === null ? "Cancel" : "Stop"}
          </Button>
          <Button type="submit" busy={done !== null}>
            {done === null ? sendLabel : `Sending ${done + 1} of ${recipients.length}`}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
