import { ArrowLeft } from "lucide-react";
import { lazy, Suspense } from "react";
import { Link, useSearchParams } from "react-router";
import { useCompanySettings } from "~/features/company-settings/api/company-settings";
import { SettingsIndex } from "~/features/company-settings/components/settings-index";
import { settingsGroups } from "~/features/company-settings/settings-index";
import { useCompanyAccount } from "~/layouts/company-layout";
import { paths } from "~/paths";
import { Card } from "~/ui/card";
import { PageHeader } from "~/ui/page-header";
import { Skeleton } from "~/ui/skeleton";

const EmailSettings = lazy(() => import("~/features/mail/components/email-settings"));

export const meta = () => [{ title: "Settings · Cairn" }];

/** The URL parameter `section` opens the settings that have no page of their own. */
export default function Settings() {
  const [query] = useSearchParams();
  return query.get("section") === "email" ? <EmailSection /> : <Index />;
}

function Index() {
  const { company } = useCompanyAccount();
  const { data: settings } = useCompanySettings(company?.id ?? "");
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title="Settings">
        Everything you can set. Forms are saved with their Save button, switches as soon as you change them.
      </PageHeader>
      <SettingsIndex groups={settingsGroups(company?.name ?? "", settings ?? null)} />
    </div>
  );
}

function EmailSection() {
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      <Link to={paths.settings} className="inline-flex min-h-11 items-center gap-2 self-start text-muted">
        <ArrowLeft className="size-4.5 rtl:rotate-180" aria-hidden /> Settings
      </Link>
      <PageHeader title="Email Service Configuration" />
      <Card className="p-5 sm:p-6" aria-label="Email settings">
        <Suspense fallback={<Skeleton className="h-96" />}>
          <EmailSettings />
        </Suspense>
      </Card>
    </div>
  );
}
