import { ExternalLink } from "lucide-react";
import { Badge } from "~/ui/badge";
import { Button } from "~/ui/button";
import { RelativeTime } from "~/ui/relative-time";
import { Status } from "~/ui/status";
import type { Email } from "../api/emails";
import { useAllowAddress } from "../api/suppressed-addresses";
import { errorTitle, preview, signingLink } from "../model";

const KIND_LABELS = { message: null, reminder: "Reminder", test: "Test", copy: "Signed copy" };

/** Shows an email. With `canAllow`, it has a button that allows its address again after a bounce. */
export function EmailItem({ email, canAllow }: { email: Email; canAllow: boolean }) {
  const link = signingLink(email.body);
  return (
    <li className="p-4">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <p dir="auto" className="min-w-0 font-medium wrap-break-word">
          {email.subject}
        </p>
        <span className="flex gap-1.5">
          {KIND_LABELS[email.kind] && <Badge>{KIND_LABELS[email.kind]}</Badge>}
          <Status kind={email.status === "cancelled" ? "notSent" : email.status} />
        </span>
      </div>
      <p className="mt-1 flex flex-wrap gap-x-3 text-sm text-muted">
        <span className="wrap-anywhere">To {email.recipient}</span>
        <RelativeTime at={email.sent_at ?? email.created_at} />
      </p>
      <Reason email={email} />
      {canAllow && <AllowAddress address={email.recipient} />}
      <p dir="auto" className="mt-2 text-sm wrap-break-word whitespace-pre-line text-muted">
        {preview(email.body)}
      </p>
      {link && (
        <a
          href={link}
          target="_blank"
          rel="noreferrer"
          className="mt-1 inline-flex min-h-11 items-center gap-1.5 rounded text-sm font-medium text-forest-text underline decoration-forest/40 underline-offset-4 hover:decoration-forest"
        >
          Open signing link <ExternalLink className="size-4" aria-hidden />
        </a>
      )}
    </li>
  );
}

function AllowAddress({ address }: { address: string }) {
  const allow = useAllowAddress();
  return (
    <Button
      variant="secondary"
      size="sm"
      className="mt-2"
      busy={allow.isPending}
      onClick={() => allow.mutate(address)}
    >
      Allow this address again
    </Button>
  );
}

function Reason({ email: { status, error, provider } }: { email: Email }) {
  if (!error) return null;
  if (status === "failed")
    return (
      <p className="mt-1 text-sm text-red-text">
        <strong className="font-semibold">{errorTitle(provider)}:</strong> {error}
      </p>
    );
  const text = status === "sending" ? `Will be tried again. ${error}` : error;
  return <p className="mt-1 text-sm text-muted">{text}</p>;
}
