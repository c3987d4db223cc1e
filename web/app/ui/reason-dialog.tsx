import { useState, type ReactNode } from "react";
import { Dialog } from "./dialog";
import { Form } from "./form";
import { TextareaField } from "./input-field";
import { SubmitActions } from "./submit-actions";

type Props = {
  title: string;
  description: string;
  confirmLabel: string;
  /** The label of the button that closes the dialog without doing anything. */
  keepLabel: string;
  /** Says who sees the reason. */
  hint?: string;
  isBusy: boolean;
  /** Why the server refused the action, or null. */
  problem: string | null;
  onConfirm: (reason: string) => void;
  onKeep: () => void;
  children?: ReactNode;
};

const MAX_REASON_LENGTH = 500;

/** Asks for a reason before an action. The reason is required, because it is recorded together with the action. */
export function ReasonDialog({
  title,
  description,
  confirmLabel,
  keepLabel,
  hint = "Shown in the history of the waiver. It is not sent to the guest.",
  isBusy,
  problem,
  onConfirm,
  onKeep,
  children,
}: Props) {
  const [reason, setReason] = useState("");
  const [isMissing, setMissing] = useState(false);
  const confirm = () => {
    setMissing(reason.trim() === "");
    if (reason.trim() !== "") onConfirm(reason.trim());
  };
  return (
    <Dialog open onClose={onKeep} title={title} description={description}>
      <Form onSubmit={confirm} className="flex flex-col gap-4">
        {children}
        <TextareaField
          label="Reason"
          required
          rows={2}
          maxLength={MAX_REASON_LENGTH}
          hint={hint}
          error={isMissing ? "Please enter a reason." : undefined}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
        <SubmitActions submitLabel={confirmLabel} isDangerous {...{ keepLabel, onKeep, isBusy, problem }} />
      </Form>
    </Dialog>
  );
}
