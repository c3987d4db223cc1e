import { AccountSettings } from "~/features/account/components/account-settings";
import { useCompanyAccount } from "~/layouts/company-layout";
import { paths } from "~/paths";

export const meta = () => [{ title: "Profile · Cairn" }];

export default function Profile() {
  return <AccountSettings account={useCompanyAccount()} afterSignOut={paths.home} />;
}
