import { useState, type FormEvent } from "react";
import { isUnreachable } from "~/lib/connection";
import { useIsTextingOffered } from "~/lib/texting";
import { Button } from "~/ui/button";
import { CheckboxField } from "~/ui/checkbox-field";
import { Dialog, DialogActions } from "~/ui/dialog";
import { TextareaField } from "~/ui/input-field";
import { useMailAllowance } from "../api/mail-allowance";
import { useSendSeveral } from "../api/send-several";
import { NOT_SENT_OFFLINE, type SendableTemplate } from "../model";
import { listHint, listProblem, parseRecipientList, countTexts } from "../recipient-list";
import { ConfirmTextsNotice } from "./confirm-texts-notice";
import { MailAllowanceLine } from "./mail-allowance";

type Props = { template: SendableTemplate; onClose: () => void };

/** Sends a waiver to each recipient of a pasted list. */
export default function SendSeveralDialog({ template, onClose }: Props) {
  const isTextingOffered = useIsTextingOffered();
  const allowance = useMailAllowance();
  const [list, setList] = useState("");
  const [message, setMessage] = useState("");
  const [asPdf, setAsPdf] = useState(false);
  // The problem at the last attempt to send. If the list has another problem by now, that one is shown instead.
  const [shownProblem, setShownProblem] = useState<string>();
  // The user was warned about this number of text messages. If the number changes, a new confirmation is required.
  const [warnedTextCount, setWarnedTextCount] = useState(0);
  const { send, stop, sentCount } = useSendSeveral();
  const { recipients, invalidLines } = parseRecipientList(list, isTextingOffered);
  const problem = listProblem(recipients.length, invalidLines, isTextingOffered);
  const textCount = countTexts(recipients);
  const isWarned = textCount > 0 && warnedTextCount === textCount;
  const sendLabel = isWarned ? "Send all of them" : "Send to all";

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const currentProblem = problem ?? (isUnreachable() ? NOT_SENT_OFFLINE : undefined);
    setShownProblem(currentProblem);
    if (currentProblem) return;
    if (textCount > 0 && !isWarned) return setWarnedTextCount(textCount);
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
          hint={listHint(recipients.length, isTextingOffered)}
          error={shownProblem && (problem ?? shownProblem)}
          value={list}
          onChange={(event) => setList(event.target.value)}
          rows={6}
          maxLength={50_000}
          dir="auto"
          placeholder={`Gil Moreau, gil@example.com${isTextingOffered ? ", +1 212 555 0123" : ""}`}
        />
        {!allowance?.needsConfirmedAddress && (
          <TextareaField
            label="Email Message"
            hint="Optional. Everyone gets the same message, above the link."
            value={message}
            onChange={(event) => setMessage(event.target.value)}
            rows={3}
            maxLength={5000}
            dir="auto"
          />
        )}
        <CheckboxField checked={asPdf} onChange={(event) => setAsPdf(event.target.checked)}>
          Send as interactive PDF (recipient can fill and sign)
        </CheckboxField>
        <MailAllowanceLine allowance={allowance} />
        {isWarned && sentCount === null && <ConfirmTextsNotice count={textCount} />}
        <DialogActions>
          <Button variant="secondary" onClick={close}>
            {sentCount === null ? "Cancel" : "Stop"}
          </Button>
          <Button type="submit" busy={sentCount !== null}>
            {sentCount === null ? sendLabel : `Sending ${sentCount + 1} of ${recipients.length}`}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
