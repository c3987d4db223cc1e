import type { ReactNode } from "react";

type Props = { name: string; className: string; children: ReactNode };

/** Shows the name of a row, and details below it. `className` sets the width below which the row wraps. */
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
