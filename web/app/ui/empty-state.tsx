import type { ReactNode } from "react";
import { ContourLines } from "./contour-lines";
import { Mark } from "./logo";

type Props = { title: string; children?: ReactNode; action?: ReactNode };

export function EmptyState({ title, children, action }: Props) {
  return (
    <div className="relative isolate overflow-hidden rounded-card px-6 py-14 text-center">
      <ContourLines
        seed={title}
        levels={7}
        className="absolute inset-0 -z-10 size-full text-forest opacity-20 [mask-image:radial-gradient(ellipse_at_center,transparent_25%,black_85%)]"
      />
      <Mark className="mx-auto size-11 text-forest" />
      <h2 className="mt-4 text-lg font-semibold">{title}</h2>
      {children && <p className="mx-auto mt-1.5 max-w-md text-balance text-muted">{children}</p>}
      {action && <div className="mt-6 flex justify-center">{action}</div>}
    </div>
  );
}
