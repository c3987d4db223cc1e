import { MailQuestion } from "lucide-react";
import { Notice, NoticeButton } from "~/ui/notice";
import { useConfirmedEmail, useResendConfirmation } from "../api/confirmed-email";
import type { Account } from "../model";

/** The notice disappears after the link in the email has been opened, on any device. */
export function ConfirmEmailNotice({ account }: { account: Account }) {
  const { data: isConfirmed } = useConfirmedEmail();
  const resend = useResendConfirmation(account);
  if (isConfirmed !== false) return null;
  return (
    <Notice
      icon={MailQuestion}
      title="Is this your address?"
      action={
        <NoticeButton busy={resend.isPending} onClick={() => resend.mutate()}>
          Send the mail again
        </NoticeButton>
      }
    >
      Open the link we sent to <span className="wrap-anywhere">{account.email}</span> to confirm it.
    </Notice>
  );
}
