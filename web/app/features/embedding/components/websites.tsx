import { Failure } from "~/ui/failure";
import { Skeleton } from "~/ui/skeleton";
import { useFramedBy } from "../api/framed-by";
import { WebsitesForm } from "./websites-form";

export function Websites({ companyId }: { companyId: string }) {
  const { data: saved, isError, refetch } = useFramedBy(companyId);
  if (saved) return <WebsitesForm companyId={companyId} saved={saved} />;
  if (isError)
    return (
      <Failure title="Your websites could not be loaded" onRetry={() => void refetch()}>
        The server did not answer. Nothing was changed.
      </Failure>
    );
  return (
    <div aria-hidden className="flex flex-col gap-3">
      <Skeleton className="h-11" />
      <Skeleton className="h-11" />
      <Skeleton className="mt-2 h-10 w-36" />
    </div>
  );
}
