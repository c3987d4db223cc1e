import type { ReactNode } from "react";

type Props = { title: string; children?: ReactNode; actions?: ReactNode };

export function PageHeader({ title, children, actions }: Props) {
  return (
    <header className="flex flex-col gap-4 sm:flex-row sm:items-end sm:justify-between">
      <div>
        <h1 className="text-2xl font-semibold tracking-tight sm:text-[1.75rem]">{title}</h1>
        {children && <p className="mt-1 max-w-prose text-pretty text-muted">{children}</p>}
      </div>
      {actions && (
        <div className="flex flex-wrap gap-3 max-sm:[&>*]:grow sm:shrink-0 sm:flex-nowrap">{actions}</div>
      )}
    </header>
  );
}
