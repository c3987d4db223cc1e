import { Failure } from "~/ui/failure";
import { SkeletonLines } from "~/ui/skeleton";
import { useFramedBy } from "../api/framed-by";
import { WebsitesForm } from "./websites-form";

export function Websites({ companyId }: { companyId: string }) {
  const { data: savedWebsites, isError, refetch } = useFramedBy(companyId);
  if (savedWebsites) return <WebsitesForm companyId={companyId} savedWebsites={savedWebsites} />;
  if (isError)
    return (
      <Failure title="Your websites could not be loaded" onRetry={() => void refetch()}>
        The server did not answer. Nothing was changed.
      </Failure>
    );
  return <SkeletonLines lines={["h-11", "h-11", "mt-2 h-10 w-36"]} className="flex flex-col gap-3" />;
}
