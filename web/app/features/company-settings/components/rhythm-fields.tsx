import type { FieldErrors, UseFormRegister } from "react-hook-form";
import { useIsTextingOffered } from "~/lib/texting";
import { Field } from "~/ui/field";
import { Input } from "~/ui/input";
import { rhythmInWords, settingsDraft, type SettingsDraft } from "../model";

type Props = {
  register: UseFormRegister<SettingsDraft>;
  errors: FieldErrors<SettingsDraft>;
  draft: SettingsDraft;
};

const NUMBERS = [
  { name: "firstDays", label: "First after (days)", most: 60 },
  { name: "everyDays", label: "Then every (days)", most: 60 },
  { name: "limit", label: "At most (times)", most: 10 },
] as const;

export function RhythmFields({ register, errors, draft }: Props) {
  const isTexting = useIsTextingOffered();
  const read = settingsDraft.safeParse(draft).data;
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="mb-3 font-semibold">Reminders</legend>
      <label className="flex min-h-11 items-center gap-3">
        <input type="checkbox" {...register("reminders")} className="size-5 shrink-0 accent-forest" />
        Remind guests who have not signed yet
      </label>
      {draft.reminders && (
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-3">
          {NUMBERS.map(({ name, label, most }) => (
            <Field key={name} label={label} error={errors[name]?.message}>
              {(control) => (
                <Input
                  {...control}
                  {...register(name, { valueAsNumber: true })}
                  type="number"
                  min={1}
                  max={most}
                />
              )}
            </Field>
          ))}
        </div>
      )}
      {isTexting && draft.reminders && (
        <label className="flex min-h-11 items-center gap-3">
          <input type="checkbox" {...register("remindersByText")} className="size-5 shrink-0 accent-forest" />
          <span>
            Remind by text message too
            <span className="block text-sm text-muted">
              Guests whose waiver you also sent by text message.
            </span>
          </span>
        </label>
      )}
      {read && (
        <p role="status" className="text-sm text-muted">
          {rhythmInWords(read)}
        </p>
      )}
    </fieldset>
  );
}
