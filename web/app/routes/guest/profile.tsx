import { useOutletContext } from "react-router";
import { AccountSettings } from "~/features/account/components/account-settings";
import type { Account } from "~/features/account/model";
import { GuestPlan } from "~/features/billing/components/guest-plan";
import { MyDataCard } from "~/features/guest/components/my-data-card";
import { paths } from "~/paths";

export const meta = () => [{ title: "Profile · Cairn" }];

export default function GuestProfile() {
  return (
    <div className="flex max-w-2xl flex-col gap-6">
      <AccountSettings account={useOutletContext<Account>()} pathAfterSignOut={paths.home} />
      <MyDataCard />
      <GuestPlan />
    </div>
  );
}
