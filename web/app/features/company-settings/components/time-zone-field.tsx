import { useMemo, useState } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import { Button } from "~/ui/button";
import { Field } from "~/ui/field";
import { Select } from "~/ui/select";
import { ownTimeZone, timeIn, timeZones } from "../model";

type Props = {
  field: UseFormRegisterReturn;
  saved: string;
  chosen: string;
  onChoose: (zone: string) => void;
};

export function TimeZoneField({ field, saved, chosen, onChoose }: Props) {
  const zones = useMemo(() => timeZones(saved), [saved]);
  // Some four hundred, which need not be looked at again at each key that is pressed in the form.
  const options = useMemo(() => zones.map((zone) => <Zone key={zone} name={zone} />), [zones]);
  const [now] = useState(() => new Date());
  const own = ownTimeZone();
  return (
    <div className="flex flex-col items-start gap-2">
      <div className="w-full">
        <Field label="Time zone" hint={`It is ${timeIn(chosen, now)} there. Reminders go out by this clock.`}>
          {(control) => (
            <Select {...control} {...field}>
              {options}
            </Select>
          )}
        </Field>
      </div>
      {chosen !== own && zones.includes(own) && (
        <Button variant="secondary" size="sm" onClick={() => onChoose(own)}>
          Use {own.replaceAll("_", " ")}, as on this device
        </Button>
      )}
    </div>
  );
}

function Zone({ name }: { name: string }) {
  return <option value={name}>{name.replaceAll("_", " ")}</option>;
}
