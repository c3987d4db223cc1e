import { Card } from "~/ui/card";
import { Skeleton } from "~/ui/skeleton";

/** Takes the place of a template card while it loads. `children`, such as "Loading", appears in the preview. */
export function TemplateSkeleton({ children }: { children?: string }) {
  return (
    <Card className="overflow-hidden">
      <div className="h-28 border-b border-line bg-sunken/60 px-5 pt-5">
        <p className="h-full rounded-t-lg border border-b-0 border-line bg-surface px-4 pt-3 text-sm text-muted">
          {children}
        </p>
      </div>
      <div className="p-5">
        <Skeleton className="h-5 w-1/2" />
        <Skeleton className="mt-3.5 h-4" />
        <Skeleton className="mt-2 mb-6 h-4 w-2/3" />
        <div className="flex gap-2">
          <Skeleton className="h-11 grow md:h-9" />
          <Skeleton className="h-11 grow md:h-9" />
          <Skeleton className="h-11 grow md:h-9" />
        </div>
      </div>
    </Card>
  );
}
