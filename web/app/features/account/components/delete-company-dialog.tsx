import { useState } from "react";
import { Dialog } from "~/ui/dialog";
import { Field } from "~/ui/field";
import { Input } from "~/ui/input";
import { useDeleteCompany } from "../api/company-deletion";
import { DeletionActions } from "./deletion-actions";

type Props = { company: { id: string; name: string }; onClose: () => void };

export default function DeleteCompanyDialog({ company, onClose }: Props) {
  const [typed, setTyped] = useState("");
  const deletion = useDeleteCompany(company.id);
  const expected = company.name.trim() || "delete";
  return (
    <Dialog open onClose={onClose} title="Delete your company?">
      <ul className="ms-5 flex list-disc flex-col gap-2 text-muted">
        <li>
          It does not happen at once. You see the date here afterwards, and can keep your company until then.
        </li>
        <li>Until that day everything works as before, but a paid plan is not renewed.</li>
        <li>
          On that day every waiver is erased for good, and all templates, emails, webhooks and settings and
          the accounts of everyone in your company are deleted. Download everything first.
        </li>
        <li>Invoices stay in our books. Documents that you downloaded can still be verified.</li>
        <li>A company with waivers on legal hold cannot be deleted.</li>
      </ul>
      <div className="mt-4">
        <Field label={`Type ${expected} to confirm`}>
          {(control) => (
            <Input
              {...control}
              value={typed}
              autoComplete="off"
              onChange={(event) => setTyped(event.target.value)}
            />
          )}
        </Field>
      </div>
      <DeletionActions
        deletion={deletion}
        keepLabel="Cancel"
        deleteLabel="Delete my company"
        isDisabled={typed.trim() !== expected}
        onClose={onClose}
      />
    </Dialog>
  );
}
