import { useState } from "react";
import type { MyCompanyRow } from "~/lib/database";
import { Dialog } from "~/ui/dialog";
import { Form } from "~/ui/form";
import { TextareaField } from "~/ui/input-field";
import { SubmitActions } from "~/ui/submit-actions";
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
        <SubmitActions
          submitLabel="Ask to erase"
          keepLabel="Not now"
          onKeep={onClose}
          isBusy={request.isPending}
          problem={request.error?.message}
        />
      </Form>
    </Dialog>
  );
}
