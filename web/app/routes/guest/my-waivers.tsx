import { useOutletContext } from "react-router";
import { useConfirmedEmail, useResendConfirmation } from "~/features/account/api/confirmed-email";
import type { Account } from "~/features/account/model";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { EmptyState } from "~/ui/empty-state";
import { PageHeader } from "~/ui/page-header";

export const meta = () => [{ title: "My Waivers · Cairn" }];

export default function MyWaivers() {
  const account = useOutletContext<Account>();
  const { data: isConfirmed } = useConfirmedEmail();
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title="My Waivers">Signed in as {account.email}</PageHeader>
      <Card>
        {isConfirmed === false ? (
          <Unconfirmed account={account} />
        ) : (
          <EmptyState title="Your list is not here yet">
            This page does not list waivers yet. To sign one, open the link in the email you were sent; it
            works without this page.
          </EmptyState>
        )}
      </Card>
    </div>
  );
}

/** Waivers are found by address, so the address must be proven to be this person's. */
function Unconfirmed({ account }: { account: Account }) {
  const resend = useResendConfirmation(account);
  return (
    <EmptyState
      title="Please verify your email"
      action={
        <Button variant="secondary" busy={resend.isPending} onClick={() => resend.mutate()}>
          Send the mail again
        </Button>
      }
    >
      We sent a link to {account.email}. Until you have opened it no waivers are shown here, so that nobody
      sees yours by typing your address.
    </EmptyState>
  );
}
