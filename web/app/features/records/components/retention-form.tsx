import { useState } from "react";
import { Button } from "~/ui/button";
import { Dialog, DialogActions } from "~/ui/dialog";
import { Field } from "~/ui/field";
import { Form } from "~/ui/form";
import { Select } from "~/ui/select";
import { toast } from "~/ui/toast-store";
import { useSaveRetention, useWaiversToErase } from "../api/retention";
import { countText, duration, retentionChoices, type Months } from "../model";

type Props = { companyId: string; savedMonths: Months };

export function RetentionForm({ companyId, savedMonths }: Props) {
  const [months, setMonths] = useState(savedMonths);
  const [isConfirming, setConfirming] = useState(false);
  const save = useSaveRetention(companyId);
  const isDirty = months !== savedMonths;
  const submit = () =>
    save.mutate(months, {
      onSuccess: () => toast({ title: "Saved", description: savedText(months) }),
      onError: (error) =>
        toast({ title: "This was not saved", description: error.message, destructive: true }),
      onSettled: () => setConfirming(false),
    });
  return (
    <Form onSubmit={() => (months === null ? submit() : setConfirming(true))} className="flex flex-col gap-4">
      <Field
        label="Keep signed waivers"
        hint="A claim can come years after a trip, and if children take part, often years after they are grown up. Please ask your lawyer or insurer before you choose."
      >
        {(control) => (
          <div className="max-w-60">
            <Select
              {...control}
              value={String(months)}
              onChange={({ target }) => setMonths(target.value === "null" ? null : Number(target.value))}
            >
              {retentionChoices(savedMonths).map((choice) => (
                <option key={choice.label} value={String(choice.months)}>
                  {choice.label}
                </option>
              ))}
            </Select>
          </div>
        )}
      </Field>
      <div>
        <Button type="submit" busy={save.isPending} disabled={!isDirty}>
          Save
        </Button>
      </div>
      {isConfirming && months !== null && (
        <ConfirmRetention
          months={months}
          isBusy={save.isPending}
          onConfirm={submit}
          onKeep={() => setConfirming(false)}
        />
      )}
    </Form>
  );
}

const savedText = (months: Months): string =>
  months === null
    ? "Your signed waivers are kept for good."
    : `Your signed waivers are kept for ${duration(months)}.`;

type ConfirmProps = { months: number; isBusy: boolean; onConfirm: () => void; onKeep: () => void };

function ConfirmRetention({ months, isBusy, onConfirm, onKeep }: ConfirmProps) {
  const { data: waiverCount, isError } = useWaiversToErase(months);
  return (
    <Dialog
      open
      onClose={onKeep}
      title={`Keep waivers for ${duration(months)} only?`}
      description="Older ones are erased for good: names, signatures, documents and emails."
    >
      <p aria-live="polite">
        {isError && "How many waivers are older could not be counted."}
        {!isError && waiverCount === undefined && "Counting your waivers …"}
        {waiverCount === 0 && "None of your waivers is that old yet."}
        {Boolean(waiverCount) &&
          `${countText(waiverCount ?? 0, "waiver")} would be erased in 30 days at the earliest.`}
      </p>
      <p className="mt-2 text-muted">
        You get an email 30 days before the first one is erased. Waivers on legal hold are kept.
      </p>
      <DialogActions>
        <Button variant="secondary" onClick={onKeep}>
          Do not change
        </Button>
        <Button variant="danger" busy={isBusy} onClick={onConfirm}>
          Keep for {duration(months)}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
