import { useOutletContext } from "react-router";
import { AccountSettings } from "~/features/account/components/account-settings";
import { DeleteAccountCard } from "~/features/account/components/delete-account-card";
import type { Account } from "~/features/account/model";
import { GuestPlan } from "~/features/billing/components/guest-plan";
import { MyDataCard } from "~/features/guest/components/my-data-card";
import { paths } from "~/paths";

export const meta = () => [{ title: "Profile · Cairn" }];

export default function GuestProfile() {
  const account = useOutletContext<Account>();
  return (
    <div className="flex max-w-2xl flex-col gap-6">
      <AccountSettings account={account} pathAfterSignOut={paths.home} />
      <MyDataCard />
      <GuestPlan />
      <DeleteAccountCard account={account} />
    </div>
  );
}
