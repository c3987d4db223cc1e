import { AccountSettings } from "~/features/account/components/account-settings";
import { DeleteCompanyCard } from "~/features/account/components/delete-company-card";
import { CompanySettingsCard } from "~/features/company-settings/components/company-settings-card";
import { RecordsCard } from "~/features/records/components/records-card";
import { useCompanyAccount } from "~/layouts/company-layout";
import { paths } from "~/paths";

export const meta = () => [{ title: "Profile · Cairn" }];

export default function Profile() {
  const account = useCompanyAccount();
  return (
    <div className="flex flex-col gap-6">
      <AccountSettings account={account} pathAfterSignOut={paths.home} />
      {account.company && <CompanySettingsCard companyId={account.company.id} />}
      {account.company && <RecordsCard companyId={account.company.id} />}
      {account.company && <DeleteCompanyCard company={account.company} />}
    </div>
  );
}
