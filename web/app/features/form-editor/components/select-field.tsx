import { Field } from "~/ui/field";
import { Select } from "~/ui/select";

type Props<Value> = {
  label: string;
  error?: string | undefined;
  choices: { value: Value; label: string }[];
  /** Undefined if nothing is chosen yet. */
  value: Value | undefined;
  /** Shown while nothing is chosen. */
  placeholder?: string;
  onChange: (value: Value) => void;
};

/** A select element for values of any type. Each option has its position as its value. */
export function SelectField<Value>({ label, error, choices, value, placeholder, onChange }: Props<Value>) {
  const position = choices.findIndex((choice) => choice.value === value);
  return (
    <Field label={label} error={error}>
      {(control) => (
        <Select
          {...control}
          value={position}
          onChange={({ target }) => {
            const chosen = choices[Number(target.value)];
            if (chosen) onChange(chosen.value);
          }}
        >
          {position < 0 && <option value={-1}>{placeholder}</option>}
          {choices.map((choice, index) => (
            <option key={index} value={index}>
              {choice.label}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
