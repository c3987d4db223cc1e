import type { ReactNode } from "react";
import { useId } from "react";

type Props = {
  label: string;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
  children?: ReactNode;
};

/** Shows a switch that can be toggled by clicking anywhere on its line. */
export function Switch({ label, checked, disabled, onChange, children }: Props) {
  const id = useId();
  return (
    <label className="flex min-h-11 cursor-pointer items-start gap-4 has-disabled:cursor-not-allowed">
      <span className="min-w-0 grow">
        <span className="block font-medium">{label}</span>
        {children && (
          <span id={id} className="block text-sm text-muted">
            {children}
          </span>
        )}
      </span>
      <input
        type="checkbox"
        role="switch"
        aria-label={label}
        aria-describedby={children ? id : undefined}
        aria-checked={checked}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
        className="relative mt-0.5 h-6 w-11 shrink-0 cursor-pointer appearance-none rounded-full border border-edge bg-sunken transition-colors before:absolute before:start-0.5 before:top-0.5 before:size-4.5 before:rounded-full before:bg-edge before:transition-transform checked:border-forest checked:bg-forest checked:before:translate-x-5 checked:before:bg-on-forest disabled:cursor-not-allowed disabled:opacity-60 motion-reduce:before:transition-none rtl:checked:before:-translate-x-5"
      />
    </label>
  );
}
