import { useState } from "react";
import { Button } from "~/ui/button";
import { Dialog, DialogActions } from "~/ui/dialog";
import { FieldError } from "~/ui/field";
import { Form } from "~/ui/form";
import { InputField } from "~/ui/input-field";
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
        {correct.error && <FieldError>{correct.error.message}</FieldError>}
        <DialogActions>
          <Button variant="secondary" onClick={onKeep}>
            Keep it
          </Button>
          <Button type="submit" busy={correct.isPending}>
            Correct and send
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
