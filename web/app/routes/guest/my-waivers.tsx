import { useOutletContext } from "react-router";
import type { Account } from "~/features/account/model";
import { Card } from "~/ui/card";
import { EmptyState } from "~/ui/empty-state";
import { PageHeader } from "~/ui/page-header";

export const meta = () => [{ title: "My Waivers · Cairn" }];

export default function MyWaivers() {
  const account = useOutletContext<Account>();
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title="My Waivers">Signed in as {account.email}</PageHeader>
      <Card>
        <EmptyState title="Your list is not here yet">
          This page does not list waivers yet. To sign one, open the link in the email you were sent; it works
          without this page.
        </EmptyState>
      </Card>
    </div>
  );
}
