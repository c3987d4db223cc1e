import { cx } from "class-variance-authority";
import type { ComponentProps } from "react";

type Props = Omit<ComponentProps<"input">, "type"> & { label: string; some?: boolean };

/** A checkbox with a large click area. `some` shows the indeterminate state. */
export function Checkbox({ label, some = false, className, ...rest }: Props) {
  return (
    <label className={cx("grid size-11 place-items-center", className)}>
      <input
        type="checkbox"
        aria-label={label}
        ref={(box) => {
          if (box) box.indeterminate = some;
        }}
        className="size-4.5 accent-forest"
        {...rest}
      />
    </label>
  );
}
