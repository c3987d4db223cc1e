import type { ComponentProps } from "react";
import { Select } from "./select";

type Props<Value extends string> = Omit<ComponentProps<"select">, "value" | "onChange"> & {
  label: string;
  value: Value;
  options: { readonly [Key in Value]: string };
  onChoose: (value: Value) => void;
};

/** One of a few, each by its name and the words for it. */
export function Dropdown<Value extends string>({ label, value, options, onChoose, ...rest }: Props<Value>) {
  const isOption = (name: string): name is Value => Object.hasOwn(options, name);
  return (
    <Select
      aria-label={label}
      value={value}
      onChange={({ target }) => isOption(target.value) && onChoose(target.value)}
      {...rest}
    >
      {Object.entries<string>(options).map(([name, text]) => (
        <option key={name} value={name}>
          {text}
        </option>
      ))}
    </Select>
  );
}
