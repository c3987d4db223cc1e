import { InputField } from "~/ui/input-field";

type Props = {
  label: string;
  hint?: string;
  value: number | null | undefined;
  error: string | undefined;
  placeholder?: string;
  onChange: (value: number | null) => void;
};

/** An empty field has the value null. */
export function NumberField({ value, onChange, ...rest }: Props) {
  return (
    <InputField
      {...rest}
      type="number"
      value={value ?? ""}
      onChange={({ target }) => onChange(target.value === "" ? null : target.valueAsNumber)}
    />
  );
}
