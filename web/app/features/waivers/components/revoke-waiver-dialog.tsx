import { useState } from "react";
import { exactTime } from "~/lib/dates";
import { Field } from "~/ui/field";
import { RadioField } from "~/ui/radio-field";
import { Select } from "~/ui/select";
import { useNewerWaivers, useRevokeWaiver } from "../api/waiver-actions";
import type { SignedRecord } from "../api/signed-waiver";
import { ReasonDialog } from "~/ui/reason-dialog";

type Props = { waiver: SignedRecord; onKeep: () => void; onRevoked: () => void };

export function RevokeWaiverDialog({ waiver, onKeep, onRevoked }: Props) {
  const revoke = useRevokeWaiver();
  const { data: newerWaivers = [] } = useNewerWaivers(waiver);
  const [isSuperseded, setSuperseded] = useState(false);
  const [chosenId, setChosenId] = useState<string | null>(null);
  const supersededBy = isSuperseded ? (chosenId ?? newerWaivers[0]?.id ?? null) : null;
  return (
    <ReasonDialog
      title="Revoke this waiver?"
      description={`The waiver that ${waiver.signer_name} signed stays readable and is marked as revoked. You cannot undo this.`}
      confirmLabel="Revoke waiver"
      keepLabel="Keep it"
      isBusy={revoke.isPending}
      problem={revoke.error?.message ?? null}
      onConfirm={(reason) =>
        revoke.mutate({ waiverId: waiver.id, reason, supersededBy }, { onSuccess: onRevoked })
      }
      onKeep={onKeep}
    >
      <fieldset className="flex flex-col">
        <legend className="sr-only">What happened?</legend>
        <RadioField
          name="action"
          label="It no longer counts"
          checked={!isSuperseded}
          onChange={() => setSuperseded(false)}
        >
          For example because the wrong person signed.
        </RadioField>
        <RadioField
          name="action"
          label="A newer waiver replaces it"
          checked={isSuperseded}
          disabled={newerWaivers.length === 0}
          onChange={() => setSuperseded(true)}
        >
          {newerWaivers.length === 0
            ? `There is no newer waiver signed with ${waiver.signer_email}.`
            : "It is marked as superseded."}
        </RadioField>
      </fieldset>
      {isSuperseded && (
        <Field label="Newer waiver">
          {(control) => (
            <Select
              {...control}
              value={supersededBy ?? ""}
              onChange={({ target }) => setChosenId(target.value)}
            >
              {newerWaivers.map(({ id, template_name, signed_at }) => (
                <option key={id} value={id}>
                  {template_name}, {exactTime(new Date(signed_at))}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
    </ReasonDialog>
  );
}
