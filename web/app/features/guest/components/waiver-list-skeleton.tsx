import { Card } from "~/ui/card";
import { Skeleton } from "~/ui/skeleton";

export function WaiverListSkeleton() {
  return (
    <Card aria-busy aria-label="Loading your waivers" className="divide-y divide-line">
      {[1, 2, 3].map((row) => (
        <div key={row} className="flex items-center gap-4 px-4 py-4 sm:px-5">
          <div className="grow">
            <Skeleton className="h-5 w-2/3" />
            <Skeleton className="mt-2 h-4 w-1/3" />
          </div>
          <Skeleton className="h-10 w-28" />
        </div>
      ))}
    </Card>
  );
}
