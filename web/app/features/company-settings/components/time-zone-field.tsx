import { useMemo, useState } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import { Button } from "~/ui/button";
import { Field } from "~/ui/field";
import { Select } from "~/ui/select";
import { browserTimeZone, timeIn, timeZones } from "../model";

type Props = {
  field: UseFormRegisterReturn;
  savedZone: string;
  selected: string;
  onSelect: (zone: string) => void;
};

export function TimeZoneField({ field, savedZone, selected, onSelect }: Props) {
  const zones = useMemo(() => timeZones(savedZone), [savedZone]);
  // The options are memoised, because there are about four hundred and the form renders on every key press.
  const options = useMemo(() => zones.map((zone) => <ZoneOption key={zone} name={zone} />), [zones]);
  const [now] = useState(() => new Date());
  const browserZone = browserTimeZone();
  return (
    <div className="flex flex-col items-start gap-2">
      <div className="w-full">
        <Field
          label="Time zone"
          hint={`It is ${timeIn(selected, now)} there. Reminders are sent in this time zone.`}
        >
          {(control) => (
            <Select {...control} {...field}>
              {options}
            </Select>
          )}
        </Field>
      </div>
      {selected !== browserZone && zones.includes(browserZone) && (
        <Button variant="secondary" size="sm" onClick={() => onSelect(browserZone)}>
          Use {browserZone.replaceAll("_", " ")}, as on this device
        </Button>
      )}
    </div>
  );
}

function ZoneOption({ name }: { name: string }) {
  return <option value={name}>{name.replaceAll("_", " ")}</option>;
}
