import { useState } from "react";
import type { MyCompanyRow } from "~/lib/database";
import { Button } from "~/ui/button";
import { Dialog, DialogActions } from "~/ui/dialog";
import { FieldError } from "~/ui/field";
import { Form } from "~/ui/form";
import { TextareaField } from "~/ui/input-field";
import { useRequestErasure } from "../api/erasure";

const MAX_NOTE_LENGTH = 1000;

export function RequestErasureDialog({ company, onClose }: { company: MyCompanyRow; onClose: () => void }) {
  const [note, setNote] = useState("");
  const request = useRequestErasure();
  const submit = () => request.mutate({ companyId: company.company_id, note }, { onSuccess: onClose });
  return (
    <Dialog
      open
      onClose={onClose}
      title="Ask to erase your waivers?"
      description={`We will tell ${company.company_name} that you want everything erased that you signed there. Copies that you have downloaded stay with you.`}
    >
      <Form onSubmit={submit} className="flex flex-col gap-4">
        <TextareaField
          label="Message to the company"
          rows={3}
          maxLength={MAX_NOTE_LENGTH}
          hint="You need not give a reason."
          value={note}
          onChange={({ target }) => setNote(target.value)}
        />
        {request.error && <FieldError>{request.error.message}</FieldError>}
        <DialogActions>
          <Button variant="secondary" onClick={onClose}>
            Not now
          </Button>
          <Button type="submit" busy={request.isPending}>
            Ask to erase
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
