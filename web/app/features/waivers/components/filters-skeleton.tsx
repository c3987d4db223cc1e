import { Skeleton } from "~/ui/skeleton";

/** Takes the place of the filters while they are loading. */
export const FiltersSkeleton = ({ id }: { id: string }) => (
  <div id={id} role="status" className="grid basis-full gap-3 sm:grid-cols-2 xl:grid-cols-4">
    <span className="sr-only">Loading the filters</span>
    <Skeleton className="h-17.5" />
    <Skeleton className="h-17.5" />
  </div>
);
