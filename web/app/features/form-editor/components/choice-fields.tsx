import type { Value } from "~/lib/waiver-form/types";
import { CheckboxField } from "~/ui/checkbox-field";
import type { ChoiceOption } from "../conditions";
import { SelectField } from "./select-field";

type Props = {
  choices: ChoiceOption[];
  values: Value[];
  allowsSeveral: boolean;
  onChange: (values: Value[]) => void;
};

/** Lets the user choose one answer from a list, or several answers with checkboxes. */
export function ChoiceFields({ choices, values, allowsSeveral, onChange }: Props) {
  if (allowsSeveral) return <Boxes choices={choices} values={values} onChange={onChange} />;
  return (
    <SelectField
      label="Answer"
      placeholder="Choose an answer"
      choices={choices}
      value={values[0]}
      onChange={(value) => onChange([value])}
    />
  );
}

function Boxes({ choices, values, onChange }: Omit<Props, "allowsSeveral">) {
  return (
    <fieldset>
      <legend className="text-sm font-medium">Answers</legend>
      {choices.map(({ value, label }) => (
        <CheckboxField
          key={String(value)}
          checked={values.includes(value)}
          onChange={({ target }) =>
            onChange(
              choices
                .map((choice) => choice.value)
                .filter((other) => (other === value ? target.checked : values.includes(other))),
            )
          }
        >
          <span dir="auto">{label}</span>
        </CheckboxField>
      ))}
    </fieldset>
  );
}
