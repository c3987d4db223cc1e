import { Send } from "lucide-react";
import { readCache } from "~/lib/browser-cache";
import { Button } from "~/ui/button";
import { useSendTest } from "../api/send-test";
import type { Provider } from "../model";

/** Tests only the saved settings, because those are used for the next waiver. */
export function TestEmail({ provider, isSaved }: { provider: Provider; isSaved: boolean }) {
  const test = useSendTest(provider, ownAddress());
  return (
    <>
      <Button
        variant="secondary"
        disabled={!isSaved}
        busy={test.isPending}
        aria-describedby="test-email-note"
        onClick={() => test.mutate()}
      >
        {!test.isPending && <Send aria-hidden />} Send Test Email
      </Button>
      <p id="test-email-note" role="status" className="min-w-0 text-sm wrap-break-word text-muted">
        {noteText(isSaved, test.isPending)}
      </p>
    </>
  );
}

function noteText(isSaved: boolean, isPending: boolean): string {
  if (isPending) return "Sending, and waiting for the response…";
  return isSaved ? `Goes to ${ownAddress()}.` : "Save first: the test uses what is saved.";
}

function ownAddress(): string {
  const user = readCache("user");
  return user !== null && typeof user === "object" && "email" in user
    ? String(user.email)
    : "your own address";
}
