import { TriangleAlert } from "lucide-react";
import { useState } from "react";
import { isUnreachable } from "~/lib/connection";
import { Button } from "~/ui/button";
import { CheckboxField } from "~/ui/checkbox-field";
import { FieldError } from "~/ui/field";
import { Form } from "~/ui/form";
import { TextareaField } from "~/ui/input-field";
import { Notice } from "~/ui/notice";
import { useMailAllowance } from "../api/mail-allowance";
import { planSentence, shortage } from "../list/allowance";
import type { ListRow } from "../list/build-rows";
import { NOT_SENT_OFFLINE } from "../model";
import { ConfirmTextsNotice } from "./confirm-texts-notice";
import { MailAllowanceLine } from "./mail-allowance";

export type SendOptions = { message: string; asPdf: boolean };

type Props = {
  rows: ListRow[];
  /** Until the server has said who has the waiver already, nothing is sent. */
  isChecking: boolean;
  withPhoneNumbers: boolean;
  /** How many waivers the plan still covers this month. */
  waiversThisMonth: number | null | undefined;
  options: SendOptions;
  onOptions: (options: Partial<SendOptions>) => void;
  onSend: (options: SendOptions) => void;
};

export function ListSendForm(props: Props) {
  const { rows, isChecking, withPhoneNumbers, waiversThisMonth, options, onOptions, onSend } = props;
  const allowance = useMailAllowance();
  const [problem, setProblem] = useState("");
  // The user was warned about this number of text messages. If the number changes, a new confirmation is required.
  const [warnedTextCount, setWarnedTextCount] = useState(0);
  const ready = rows.filter(({ state }) => state === "ready");
  const textCount = withPhoneNumbers ? ready.filter(({ phone }) => phone).length : 0;
  const isWarned = textCount > 0 && warnedTextCount === textCount;
  const emailsToday =
    allowance && allowance.perDay !== null ? left(allowance.perDay, allowance.sentToday) : null;
  const remaining = { emailsToday, waiversThisMonth };
  const tooFew = shortage(ready.length, remaining);
  const canAddMessage = !allowance?.needsConfirmedAddress;

  const submit = () => {
    const currentProblem = ready.length === 0 ? NOTHING_TO_SEND : isUnreachable() ? NOT_SENT_OFFLINE : "";
    setProblem(currentProblem);
    if (currentProblem) return;
    if (textCount > 0 && !isWarned) return setWarnedTextCount(textCount);
    onSend({ message: canAddMessage ? options.message : "", asPdf: canAddMessage && options.asPdf });
  };
  return (
    <Form onSubmit={submit} className="flex flex-col gap-5">
      {canAddMessage && (
        <>
          <TextareaField
            label="Email Message"
            hint="Optional. Everyone gets the same message, above the link."
            value={options.message}
            onChange={({ target }) => onOptions({ message: target.value })}
            rows={3}
            maxLength={5000}
            dir="auto"
          />
          <CheckboxField
            checked={options.asPdf}
            onChange={({ target }) => onOptions({ asPdf: target.checked })}
          >
            Send as interactive PDF (recipient can fill and sign)
          </CheckboxField>
        </>
      )}
      <div className="flex flex-col gap-1">
        <MailAllowanceLine allowance={allowance} />
        {planSentence(remaining) && <p className="text-sm text-muted">{planSentence(remaining)}</p>}
      </div>
      {tooFew && (
        <Notice tone="amber" icon={TriangleAlert}>
          {tooFew}
        </Notice>
      )}
      {isWarned && <ConfirmTextsNotice count={textCount} />}
      {problem && <FieldError>{problem}</FieldError>}
      <Button type="submit" size="lg" busy={isChecking} className="sm:self-start">
        {sendLabel(ready.length, isWarned)}
      </Button>
    </Form>
  );
}

const NOTHING_TO_SEND = "No row can be sent yet. Please fix the marked rows, or change the list.";

const left = (perDay: number, sentToday: number): number => Math.max(perDay - sentToday, 0);

function sendLabel(count: number, isWarned: boolean): string {
  if (isWarned) return "Send all of them";
  return count === 1 ? "Send to 1 person" : `Send to ${count} people`;
}
