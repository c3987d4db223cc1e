import type { ComponentProps, ReactNode } from "react";

type Props = Omit<ComponentProps<"input">, "type"> & { children: ReactNode };

/** Shows a checkbox with a visible label. The whole line can be clicked. */
export function CheckboxField({ children, ...rest }: Props) {
  return (
    <label className="flex min-h-11 items-center gap-3">
      <input type="checkbox" className="size-5 shrink-0 accent-forest" {...rest} />
      {children}
    </label>
  );
}
