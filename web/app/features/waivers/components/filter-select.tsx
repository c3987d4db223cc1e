import { Select } from "~/ui/select";

type Props<Value extends string> = {
  label: string;
  value: Value;
  options: { readonly [Key in Value]: string };
  onChoose: (value: Value) => void;
};

export function FilterSelect<Value extends string>({ label, value, options, onChoose }: Props<Value>) {
  const isOption = (name: string): name is Value => Object.hasOwn(options, name);
  return (
    <div className="grow sm:w-40 sm:grow-0">
      <Select
        aria-label={label}
        value={value}
        onChange={({ target }) => isOption(target.value) && onChoose(target.value)}
      >
        {Object.entries<string>(options).map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </Select>
    </div>
  );
}
