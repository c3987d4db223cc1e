import { useState } from "react";
import { errorMessage } from "~/lib/error-message";
import { RequestFailed } from "~/lib/request-failed";
import { Button } from "~/ui/button";
import { Dialog, DialogActions } from "~/ui/dialog";
import { Field, FieldError } from "~/ui/field";
import { Input } from "~/ui/input";
import { useDeleteCompany } from "../api/company-deletion";
import { SignInAgainButton } from "./sign-in-again-button";

type Props = { company: { id: string; name: string }; onClose: () => void };

export default function DeleteCompanyDialog({ company, onClose }: Props) {
  const [typed, setTyped] = useState("");
  const deletion = useDeleteCompany(company.id);
  const needsSignIn =
    deletion.error instanceof RequestFailed && deletion.error.code === "recent_sign_in_needed";
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
      {deletion.error && (
        <div className="mt-4">
          <FieldError>{errorMessage(deletion.error)}</FieldError>
        </div>
      )}
      <DialogActions>
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
        {needsSignIn ? (
          <SignInAgainButton />
        ) : (
          <Button
            variant="danger"
            disabled={typed.trim() !== expected}
            busy={deletion.isPending}
            onClick={() => deletion.mutate(undefined, { onSuccess: onClose })}
          >
            Delete my company
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
