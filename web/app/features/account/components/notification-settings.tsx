import { Card } from "~/ui/card";
import { Failure } from "~/ui/failure";
import { Skeleton } from "~/ui/skeleton";
import { Switch } from "~/ui/switch";
import { useNotificationSettings, useEmailOnSigning } from "../api/notification-settings";
import type { Account } from "../model";
import { PushSwitch } from "./push-switch";

export default function NotificationSettings({ account }: { account: Account }) {
  return (
    <Card aria-label="Notifications" className="p-5 sm:p-6">
      <h2 className="text-lg font-semibold">Notifications</h2>
      {account.role === "company" ? <CompanySettings account={account} /> : <GuestNote account={account} />}
    </Card>
  );
}

function CompanySettings({ account }: { account: Account }) {
  const { data: settings, isError, refetch } = useNotificationSettings(account);
  const emailOnSigning = useEmailOnSigning(account);
  if (isError && !settings) {
    return (
      <Failure title="Your choices could not be loaded" onRetry={() => void refetch()}>
        The server did not answer. Nothing was changed.
      </Failure>
    );
  }
  if (!settings) return <Skeleton className="mt-5 h-24 w-full" />;
  return (
    <>
      <p className="mt-1 mb-5 text-muted">
        New signatures appear in your notifications. You can also be notified when Cairn is closed.
      </p>
      <div className="flex flex-col gap-5">
        <Switch
          label="By email"
          checked={settings.email_on_signing}
          onChange={(enabled) => emailOnSigning.mutate(enabled)}
        >
          One mail for each signature, to <span className="wrap-anywhere">{account.email}</span> once you have
          confirmed it.
        </Switch>
        <PushSwitch />
      </div>
    </>
  );
}

function GuestNote({ account }: { account: Account }) {
  return (
    <p className="mt-1 text-muted">
      Each waiver you sign is mailed to the address you sign with, and companies write to you when they need
      your signature. There is nothing to choose here for{" "}
      <span className="wrap-anywhere">{account.email}</span>.
    </p>
  );
}
