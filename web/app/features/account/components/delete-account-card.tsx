import { UserX } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { longDate } from "~/lib/dates";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import type { Account } from "../model";

const DeleteAccountDialog = lazy(() => import("./delete-account-dialog"));

export function DeleteAccountCard({ account }: { account: Account }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Card className="p-5 sm:p-6" aria-labelledby="delete-account">
      <h2 id="delete-account" className="text-lg font-semibold">
        Delete Your Account
      </h2>
      {account.deleteAt ? (
        <p className="mt-1 text-muted">
          Your account will be deleted on {longDate(new Date(account.deleteAt))}. Until then you can keep it,
          with the button at the top of this page.
        </p>
      ) : (
        <>
          <p className="mt-1 mb-4 text-muted">
            Download your data first if you want to keep a copy. The waivers you signed are not deleted,
            because they belong to the companies.
          </p>
          <Button variant="secondary" onClick={() => setOpen(true)}>
            <UserX aria-hidden /> Delete your account
          </Button>
        </>
      )}
      {isOpen && (
        <Suspense>
          <DeleteAccountDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </Card>
  );
}
