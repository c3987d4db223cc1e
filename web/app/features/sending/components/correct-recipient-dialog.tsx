import { useState } from "react";
import { Dialog } from "~/ui/dialog";
import { Form } from "~/ui/form";
import { InputField } from "~/ui/input-field";
import { SubmitActions } from "~/ui/submit-actions";
import { useCorrectRecipient } from "../api/correct-recipient";
import type { SentRow } from "../sent-waiver";

type Props = { waiver: SentRow; onKeep: () => void; onCorrected: (newSessionId: string) => void };

export function CorrectRecipientDialog({ waiver, onKeep, onCorrected }: Props) {
  const [name, setName] = useState(waiver.recipient_name);
  const [email, setEmail] = useState(waiver.recipient_email);
  const correct = useCorrectRecipient();
  const submit = () =>
    correct.mutate(
      { waiver, name: name.trim(), email: email.trim() },
      { onSuccess: ({ sessionId }) => onCorrected(sessionId) },
    );
  return (
    <Dialog
      open
      onClose={onKeep}
      title="Correct the recipient"
      description="The waiver is sent again with a new link. The old link stops working, and you cannot undo this."
    >
      <Form onSubmit={submit} className="flex flex-col gap-4">
        <InputField
          label="Recipient Name"
          required
          autoComplete="off"
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <InputField
          label="Recipient Email"
          required
          type="email"
          autoComplete="off"
          value={email}
          onChange={({ target }) => setEmail(target.value)}
        />
        <SubmitActions
          submitLabel="Correct and send"
          keepLabel="Keep it"
          onKeep={onKeep}
          isBusy={correct.isPending}
          problem={correct.error?.message}
        />
      </Form>
    </Dialog>
  );
}
