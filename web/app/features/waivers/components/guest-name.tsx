import type { ReactNode } from "react";

type Props = { name: string; template: string; children?: ReactNode };

/** Shows the guest's name. On a narrow screen the template appears below it instead of in a separate column. */
export function GuestName({ name, template, children }: Props) {
  return (
    <>
      <span dir="auto" className="block truncate font-medium">
        {name}
      </span>
      {children && <span className="block truncate text-sm text-muted">{children}</span>}
      <span className="block truncate text-sm text-muted md:hidden">{template}</span>
    </>
  );
}
