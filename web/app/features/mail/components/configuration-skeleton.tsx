import { Skeleton } from "~/ui/skeleton";
import { PROVIDERS } from "../model";

/** The skeleton has the height of the form, so that the dialog does not grow when the form appears. */
export function ConfigurationSkeleton() {
  return (
    <div aria-hidden className="flex flex-col gap-5">
      <div>
        <Skeleton className="mb-2.5 h-4 w-28" />
        <div className="divide-y divide-line rounded-control border border-line">
          {PROVIDERS.map((provider) => (
            <div key={provider} className="flex min-h-16 items-center gap-3.5 px-4 py-2.5">
              <Skeleton className="size-4.5 shrink-0" />
              <div className="grow">
                <Skeleton className="h-4 w-32" />
                <Skeleton className="mt-2 h-3.5 w-3/4 max-w-72" />
              </div>
            </div>
          ))}
        </div>
      </div>
      <Skeleton className="h-12 max-w-prose" />
      <div className="flex flex-col gap-3 border-t border-line pt-5 sm:flex-row">
        <Skeleton className="h-11 sm:w-32 md:h-10" />
        <Skeleton className="h-11 sm:w-40 md:h-10" />
      </div>
    </div>
  );
}
