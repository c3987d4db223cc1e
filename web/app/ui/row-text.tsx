import type { ReactNode } from "react";

type Props = { name: string; className: string; children: ReactNode };

/** The name of a row in a list, and details below it. If it had less width than `className` says, the row wraps. */
export function RowText({ name, className, children }: Props) {
  return (
    <div className={`min-w-0 grow ${className}`}>
      <p dir="auto" className="font-medium wrap-break-word">
        {name}
      </p>
      {children}
    </div>
  );
}
