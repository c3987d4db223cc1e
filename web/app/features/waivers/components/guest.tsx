import type { ReactNode } from "react";

type Props = { name: string; template: string; children?: ReactNode };

/** Who it is about. What has no column of its own on a narrow screen stands below the name. */
export function Guest({ name, template, children }: Props) {
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
