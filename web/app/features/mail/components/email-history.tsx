import { Button } from "~/ui/button";
import { EmptyState } from "~/ui/empty-state";
import { Failure } from "~/ui/failure";
import { Skeleton } from "~/ui/skeleton";
import { useEmails, type Email } from "../api/emails";
import { useBouncedAddresses } from "../api/suppressed-addresses";
import { EmailItem } from "./email-item";

export function EmailHistory() {
  const { data, isError, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useEmails();
  const emails = data?.pages.flat();
  const failedEmails = emails?.filter(({ status }) => status === "failed") ?? [];
  const { data: bouncedAddresses = [] } = useBouncedAddresses(failedEmails.length);
  // The button that allows an address again is shown with the newest failed email to that address.
  const idsWithButton = new Set(
    bouncedAddresses.map((address) => failedEmails.find((email) => isAddressedTo(email, address))?.id),
  );
  if (isError && !emails) {
    return (
      <Failure title="Email History could not be loaded" onRetry={() => void refetch()}>
        The server did not answer. No mail was lost.
      </Failure>
    );
  }
  if (!emails) return <LoadingEmails />;
  if (emails.length === 0)
    return <EmptyState title="No emails yet">Each waiver you send appears here.</EmptyState>;
  return (
    <ul
      aria-label="Emails, newest first"
      className="max-h-[400px] divide-y divide-line overflow-y-auto rounded-control border border-line"
    >
      {emails.map((email) => (
        <EmailItem key={email.id} email={email} canAllow={idsWithButton.has(email.id)} />
      ))}
      {hasNextPage && (
        <li className="flex justify-center p-3">
          <Button variant="ghost" size="sm" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show older emails
          </Button>
        </li>
      )}
    </ul>
  );
}

const isAddressedTo = ({ recipient }: Email, address: string): boolean => recipient.toLowerCase() === address;

function LoadingEmails() {
  return (
    <div
      aria-hidden
      className="max-h-[400px] divide-y divide-line overflow-hidden rounded-control border border-line"
    >
      {[1, 2, 3].map((email) => (
        <div key={email} className="p-4">
          <Skeleton className="h-5 w-3/4" />
          <Skeleton className="mt-2 h-4 w-1/2" />
          <Skeleton className="mt-3 h-24" />
        </div>
      ))}
    </div>
  );
}
