import { Card } from "~/ui/card";
import { Skeleton } from "~/ui/skeleton";

export function WaiverListSkeleton() {
  return (
    <Card aria-busy aria-label="Loading your waivers" className="divide-y divide-line">
      <div className="px-4 py-4 sm:px-5">
        <Skeleton className="h-6 w-52" />
      </div>
      {[1, 2, 3].map((row) => (
        <div key={row} className="flex flex-wrap items-center gap-x-4 gap-y-3 px-4 py-4 sm:px-5">
          <div className="grow basis-60">
            <Skeleton className="h-5 w-2/3" />
            <Skeleton className="mt-2 h-4 w-1/2" />
            <Skeleton className="mt-2 h-4 w-1/3 sm:hidden" />
          </div>
          <Skeleton className="h-6 w-20" />
          <Skeleton className="h-11 w-full sm:h-9 sm:w-32" />
        </div>
      ))}
    </Card>
  );
}
