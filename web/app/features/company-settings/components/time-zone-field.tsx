import { useMemo, useState } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import { Button } from "~/ui/button";
import { Field } from "~/ui/field";
import { Select } from "~/ui/select";
import { browserTimeZone, placeOf, regionOf, timeIn, timeZones, zoneName } from "../time-zones";

type Props = {
  field: UseFormRegisterReturn;
  savedZone: string;
  selected: string;
  onSelect: (zone: string) => void;
};

export function TimeZoneField({ field, savedZone, selected, onSelect }: Props) {
  const zones = useMemo(() => timeZones(savedZone), [savedZone]);
  // The options are memoised, because there are about four hundred and the form renders on every key press.
  const options = useMemo(() => <ZoneOptions zones={zones} />, [zones]);
  const [now] = useState(() => new Date());
  const browserZone = browserTimeZone();
  return (
    <div className="flex flex-col items-start gap-2">
      <div className="w-full">
        <Field
          label="Time zone"
          hint={`${currentTime(selected, now)} Reminders are sent in this time zone.`.trim()}
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
          Use {zoneName(browserZone, now)}, as on this device
        </Button>
      )}
    </div>
  );
}

function currentTime(zone: string, now: Date): string {
  const time = timeIn(zone, now);
  return time && `It is ${time} in ${zoneName(zone, now)}.`;
}

/** The options have no names such as Mountain Time, because finding all of them takes a second on a slow device. */
function ZoneOptions({ zones }: { zones: string[] }) {
  return [...Map.groupBy(zones, regionOf)].map(([region, members]) => {
    const options = members
      .toSorted((one, other) => placeOf(one).localeCompare(placeOf(other)))
      .map((zone) => (
        <option key={zone} value={zone}>
          {placeOf(zone)}
        </option>
      ));
    if (region === "") return options;
    return (
      <optgroup key={region} label={region}>
        {options}
      </optgroup>
    );
  });
}
