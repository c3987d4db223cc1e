import { LogOut } from "lucide-react";
import { useSignOut } from "~/features/account/api/sign-out";
import { ProfileForm } from "~/features/account/components/profile-form";
import { useCompanyAccount } from "~/layouts/company-layout";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { PageHeader } from "~/ui/page-header";

export const meta = () => [{ title: "Profile · Cairn" }];

export default function Profile() {
  const account = useCompanyAccount();
  const signOut = useSignOut(paths.home);
  return (
    <div className="flex max-w-2xl flex-col gap-6">
      <PageHeader title="Account Settings" />
      <Card className="p-5 sm:p-6" aria-label="Profile">
        <ProfileForm account={account} />
      </Card>
      <Card className="p-5 sm:p-6" aria-labelledby="account-management">
        <h2 id="account-management" className="font-semibold">
          Account Management
        </h2>
        <p className="mt-1 mb-4 text-ink-soft">
          Signing out also removes what this browser keeps of your account.
        </p>
        <Button variant="secondary" onClick={() => signOut.mutate()}>
          <LogOut aria-hidden /> Sign Out
        </Button>
      </Card>
    </div>
  );
}
