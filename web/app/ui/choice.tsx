import type { LucideIcon } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";

/** Shows radio buttons as cards that can be clicked anywhere. */
export function ChoiceGroup({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">{legend}</legend>
      <div className="grid grid-cols-2 gap-3">{children}</div>
    </fieldset>
  );
}

type Props = ComponentProps<"input"> & { icon: LucideIcon; label: string };

export function Choice({ icon: Icon, label, ...input }: Props) {
  return (
    <label className="flex h-12 items-center gap-2.5 rounded-control border border-edge bg-surface px-3.5 font-medium text-muted transition-colors hover:border-muted has-checked:border-forest has-checked:bg-forest-soft has-checked:text-forest-text has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-forest">
      <input type="radio" className="sr-only" {...input} />
      <Icon className="size-4.5" aria-hidden />
      {label}
    </label>
  );
}
