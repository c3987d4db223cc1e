import type { FieldErrors, UseFormRegister } from "react-hook-form";
import { useIsTextingOffered } from "~/lib/texting";
import { CheckboxField } from "~/ui/checkbox-field";
import { Field } from "~/ui/field";
import { Input } from "~/ui/input";
import { describeReminders, settingsSchema, type CompanySettings } from "../model";

type Props = {
  register: UseFormRegister<CompanySettings>;
  errors: FieldErrors<CompanySettings>;
  draft: CompanySettings;
};

const NUMBER_FIELDS = [
  { name: "firstDays", label: "First after (days)", max: 60 },
  { name: "everyDays", label: "Then every (days)", max: 60 },
  { name: "limit", label: "At most (times)", max: 10 },
] as const;

export function ReminderFields({ register, errors, draft }: Props) {
  const isTextingOffered = useIsTextingOffered();
  const validDraft = settingsSchema.safeParse(draft).data;
  return (
    <fieldset id="reminders" className="flex flex-col gap-4">
      <legend className="mb-3 font-semibold">Reminders</legend>
      <CheckboxField {...register("reminders")}>Remind guests who have not signed yet</CheckboxField>
      {draft.reminders && (
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-3">
          {NUMBER_FIELDS.map(({ name, label, max }) => (
            <Field key={name} label={label} error={errors[name]?.message}>
              {(control) => (
                <Input
                  {...control}
                  {...register(name, { valueAsNumber: true })}
                  type="number"
                  min={1}
                  max={max}
                />
              )}
            </Field>
          ))}
        </div>
      )}
      {isTextingOffered && draft.reminders && (
        <CheckboxField {...register("remindersByText")}>
          <span>
            Remind by text message too
            <span className="block text-sm text-muted">
              Guests whose waiver you also sent by text message.
            </span>
          </span>
        </CheckboxField>
      )}
      {validDraft && (
        <p role="status" className="text-sm text-muted">
          {describeReminders(validDraft)}
        </p>
      )}
    </fieldset>
  );
}
