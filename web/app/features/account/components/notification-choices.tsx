import { Card } from "~/ui/card";
import { Failure } from "~/ui/failure";
import { Skeleton } from "~/ui/skeleton";
import { Switch } from "~/ui/switch";
import { useNotificationChoices, useTellByEmail } from "../api/notification-choices";
import type { Account } from "../model";
import { PushSwitch } from "./push-switch";

export default function NotificationChoices({ account }: { account: Account }) {
  return (
    <Card aria-label="Notifications" className="p-5 sm:p-6">
      <h2 className="text-lg font-semibold">Notifications</h2>
      {account.role === "company" ? <Choices account={account} /> : <ForGuests account={account} />}
    </Card>
  );
}

function Choices({ account }: { account: Account }) {
  const { data: choices, isError, refetch } = useNotificationChoices(account);
  const tell = useTellByEmail(account);
  if (isError && !choices) {
    return (
      <Failure title="Your choices could not be loaded" onRetry={() => void refetch()}>
        The server did not answer. Nothing was changed.
      </Failure>
    );
  }
  if (!choices) return <Skeleton className="mt-5 h-24 w-full" />;
  return (
    <>
      <p className="mt-1 mb-5 text-muted">
        Each signed waiver is told under the bell. You can also be told when Cairn is not open.
      </p>
      <div className="flex flex-col gap-5">
        <Switch
          label="By email"
          checked={choices.email_on_signing}
          onChange={(chosen) => tell.mutate(chosen)}
        >
          One mail for each signature, to <span className="wrap-anywhere">{account.email}</span> once you have
          confirmed it.
        </Switch>
        <PushSwitch />
      </div>
    </>
  );
}

function ForGuests({ account }: { account: Account }) {
  return (
    <p className="mt-1 text-muted">
      Each waiver you sign is mailed to the address you sign with, and companies write to you when they need
      your signature. There is nothing to choose here for{" "}
      <span className="wrap-anywhere">{account.email}</span>.
    </p>
  );
}
