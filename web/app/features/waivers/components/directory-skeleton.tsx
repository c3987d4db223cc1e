import type { ReactNode } from "react";
import { Skeleton } from "~/ui/skeleton";
import { cellClasses } from "./directory-row";

/** The placeholder rows have the same height and columns as real rows. */
export function DirectorySkeleton({ height, isWide }: { height: number; isWide: boolean }) {
  return Array.from({ length: 8 }, (_, index) => (
    <tr key={index} style={{ height }}>
      <td className="border-b border-line ps-1 sm:ps-2">
        <Skeleton className="mx-auto size-4.5 rounded-sm" />
      </td>
      {isWide && <SkeletonCell bar="h-4 w-3/4" />}
      <SkeletonCell bar="h-4 w-2/3">
        <Skeleton className="mt-2 h-3.5 w-5/6" />
        {!isWide && <Skeleton className="mt-2.5 h-5 w-1/2" />}
      </SkeletonCell>
      {isWide && <SkeletonCell bar="h-6 w-20" />}
      {isWide && <SkeletonCell bar="h-4 w-20" />}
      <SkeletonCell bar="mx-3 h-4 w-10" />
    </tr>
  ));
}

function SkeletonCell({ bar, children }: { bar: string; children?: ReactNode }) {
  return (
    <td className={cellClasses}>
      <Skeleton className={bar} />
      {children}
    </td>
  );
}
