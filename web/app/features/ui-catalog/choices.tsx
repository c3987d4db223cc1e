import { useState } from "react";
import { Avatar } from "~/ui/avatar";
import { Checkbox } from "~/ui/checkbox";
import { CheckboxField } from "~/ui/checkbox-field";
import { Field } from "~/ui/field";
import { RadioField } from "~/ui/radio-field";
import { Select } from "~/ui/select";
import { Switch } from "~/ui/switch";
import { Terrain } from "~/ui/terrain";
import { Example } from "./example";

export function Choices() {
  const [isOn, setOn] = useState(true);
  return (
    <>
      <Example name="Checkbox, CheckboxField, RadioField, Switch, Select">
        <Checkbox label="Not chosen" />
        <Checkbox label="Chosen" defaultChecked />
        <Checkbox label="Some of them" isIndeterminate />
        <Checkbox label="Not now" disabled />
        <CheckboxField defaultChecked>With a visible label</CheckboxField>
        <RadioField name="radio" label="One of several" defaultChecked>
          With a line of explanation
        </RadioField>
        <Switch label="On or off" checked={isOn} onChange={setOn}>
          With a line of explanation
        </Switch>
        <Switch label="Not now" checked={false} disabled onChange={setOn} />
        <Field label="One of a few">
          {(control) => (
            <Select {...control}>
              <option>Every week</option>
              <option>Every month</option>
            </Select>
          )}
        </Field>
      </Example>
      <Example name="Avatar">
        {[32, 44, 64].map((size) => (
          <Avatar key={size} name="Rosa Marín" size={size} />
        ))}
        <Avatar name="" size={44} />
      </Example>
      <Example name="Terrain">
        <div className="relative isolate h-48 w-full overflow-clip rounded-card border border-line">
          <Terrain seed="rio" fade="linear-gradient(#000, transparent)" className="text-forest opacity-35" />
        </div>
      </Example>
    </>
  );
}
