import { useOutletContext } from "react-router";
import { AccountSettings } from "~/features/account/components/account-settings";
import type { Account } from "~/features/account/model";
import { paths } from "~/paths";

export const meta = () => [{ title: "Profile · Cairn" }];

export default function GuestProfile() {
  return <AccountSettings account={useOutletContext<Account>()} afterSignOut={paths.home} />;
}
