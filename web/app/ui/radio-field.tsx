import { useId, type ComponentProps } from "react";

type Props = ComponentProps<"input"> & { label: string };

/** Shows a radio button with a label and a sentence of explanation. */
export function RadioField({ label, children, ...input }: Props) {
  const id = useId();
  return (
    <label className="flex min-h-11 cursor-pointer items-start gap-3 py-2">
      <input
        type="radio"
        aria-describedby={id}
        aria-label={label}
        className="mt-0.5 size-5 shrink-0 accent-forest"
        {...input}
      />
      <span>
        <span className="font-medium">{label}</span>
        <span id={id} className="mt-0.5 block text-sm text-muted">
          {children}
        </span>
      </span>
    </label>
  );
}
