import { ExternalLink } from "lucide-react";
import type { EmailRow } from "~/lib/database";
import { EmptyState } from "~/ui/empty-state";
import { Failure } from "~/ui/failure";
import { RelativeTime } from "~/ui/relative-time";
import { Skeleton } from "~/ui/skeleton";
import { Status } from "~/ui/status";
import { useEmails } from "../api/emails";
import { preview, signingLink } from "../model";

export function EmailHistory() {
  const { data: emails, isError, refetch } = useEmails();
  if (isError && !emails) {
    return (
      <Failure title="Email History could not be loaded" onRetry={() => void refetch()}>
        The server did not answer. No mail was lost.
      </Failure>
    );
  }
  if (!emails) return <Skeleton className="h-48" />;
  if (emails.length === 0)
    return <EmptyState title="No emails yet">Each waiver you send appears here.</EmptyState>;
  return (
    <ul
      aria-label="Emails, newest first"
      className="max-h-[400px] divide-y divide-line overflow-y-auto rounded-control border border-line"
    >
      {emails.map((email) => (
        <Email key={email.id} email={email} />
      ))}
    </ul>
  );
}

function Email({ email }: { email: EmailRow }) {
  const link = signingLink(email.body);
  return (
    <li className="p-4">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <p dir="auto" className="min-w-0 font-medium break-words">
          {email.subject}
        </p>
        <Status kind={email.status} />
      </div>
      <p className="mt-0.5 flex flex-wrap gap-x-3 text-sm text-ink-soft">
        <span className="break-all">To {email.recipient}</span>
        <RelativeTime at={email.sent_at ?? email.created_at} />
      </p>
      {email.status === "failed" && email.error && <p className="mt-1 text-sm text-red-ink">{email.error}</p>}
      <p dir="auto" className="mt-2 text-sm break-words whitespace-pre-line text-ink-soft">
        {preview(email.body)}
      </p>
      {link && (
        <a
          href={link}
          target="_blank"
          rel="noreferrer"
          className="mt-1 inline-flex min-h-11 items-center gap-1.5 rounded text-sm font-medium text-forest-ink underline decoration-forest/40 underline-offset-4 hover:decoration-forest"
        >
          Open signing link <ExternalLink className="size-4" aria-hidden />
        </a>
      )}
    </li>
  );
}
