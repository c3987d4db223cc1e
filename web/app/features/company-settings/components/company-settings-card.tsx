import { Card } from "~/ui/card";
import { Failure } from "~/ui/failure";
import { Skeleton } from "~/ui/skeleton";
import { useCompanySettings } from "../api/company-settings";
import { CompanySettingsForm } from "./company-settings-form";

export function CompanySettingsCard({ companyId }: { companyId: string }) {
  const { data: savedSettings, isError, refetch } = useCompanySettings(companyId);
  return (
    <Card id="company" className="max-w-2xl p-5 sm:p-6" aria-labelledby="company-settings">
      <h2 id="company-settings" className="text-lg font-semibold">
        Company Settings
      </h2>
      <p className="mt-1 mb-5 text-muted">How your company sends waivers and reminders.</p>
      {isError && !savedSettings && (
        <Failure title="Your company settings could not be loaded" onRetry={() => void refetch()}>
          The server did not answer. Nothing was changed.
        </Failure>
      )}
      {!isError && !savedSettings && <LoadingSettings />}
      {savedSettings && <CompanySettingsForm companyId={companyId} savedSettings={savedSettings} />}
    </Card>
  );
}

function LoadingSettings() {
  return (
    <div aria-hidden className="flex flex-col gap-6">
      {[1, 2, 3, 4, 5, 6].map((field) => (
        <div key={field}>
          <Skeleton className="h-4 w-32" />
          <Skeleton className="mt-2 h-11" />
          <Skeleton className="mt-2 h-4 w-3/4" />
        </div>
      ))}
    </div>
  );
}
