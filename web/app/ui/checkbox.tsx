import { cx } from "class-variance-authority";
import type { ComponentProps } from "react";

type Props = Omit<ComponentProps<"input">, "type"> & { label: string; isIndeterminate?: boolean };

/** Shows a checkbox with a large click area. */
export function Checkbox({ label, isIndeterminate = false, className, ...rest }: Props) {
  return (
    <label className={cx("grid size-11 place-items-center", className)}>
      <input
        type="checkbox"
        aria-label={label}
        ref={(box) => {
          if (box) box.indeterminate = isIndeterminate;
        }}
        className="size-4.5 accent-forest"
        {...rest}
      />
    </label>
  );
}
