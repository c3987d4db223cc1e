import { cx } from "class-variance-authority";
import { ChevronDown } from "lucide-react";
import type { ComponentProps } from "react";

type Props<Value extends string> = Omit<ComponentProps<"select">, "value" | "onChange"> & {
  label: string;
  value: Value;
  options: { readonly [Key in Value]: string };
  onChoose: (value: Value) => void;
};

/** The browser's own, because a phone's wheel and a keyboard's letters come with it. */
export function Select<Value extends string>({
  label,
  value,
  options,
  onChoose,
  className,
  ...rest
}: Props<Value>) {
  const isOption = (name: string): name is Value => Object.hasOwn(options, name);
  return (
    <span className={cx("relative inline-flex", className)}>
      <select
        aria-label={label}
        value={value}
        onChange={({ target }) => isOption(target.value) && onChoose(target.value)}
        className="h-11 w-full appearance-none rounded-control border border-edge bg-surface ps-3.5 pe-9 text-base text-ink transition-colors hover:border-ink-soft focus-visible:border-forest focus-visible:outline-offset-0"
        {...rest}
      >
        {Object.entries<string>(options).map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
      <ChevronDown
        className="pointer-events-none absolute end-3 top-1/2 size-4 -translate-y-1/2 text-ink-soft"
        aria-hidden
      />
    </span>
  );
}
