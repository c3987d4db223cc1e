import type { ReactNode } from "react";
import { Skeleton } from "~/ui/skeleton";
import type { Columns } from "../use-virtual-rows";
import { cellClasses } from "./directory-row";

/** The placeholder rows have the same height and columns as real rows. */
export function DirectorySkeleton({ height, columns }: { height: number; columns: Columns }) {
  return Array.from({ length: 8 }, (_, index) => (
    <tr key={index} style={{ height }}>
      <td className="border-b border-line ps-1 sm:ps-2">
        <Skeleton className="mx-auto size-4.5 rounded-sm" />
      </td>
      {columns === "wide" && <SkeletonCell bar="h-4 w-3/4" />}
      <SkeletonCell bar="h-4 w-2/3">
        <Skeleton className="mt-2 h-3.5 w-5/6" />
        {columns === "narrow" && <Skeleton className="mt-2.5 h-5 w-1/2" />}
      </SkeletonCell>
      {columns !== "narrow" && <SkeletonCell bar="h-6 w-20" />}
      {columns !== "narrow" && <SkeletonCell bar="h-4 w-20" />}
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
