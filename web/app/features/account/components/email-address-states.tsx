import { useResendConfirmation } from "../api/confirmed-email";
import { useSignOut } from "../api/sign-out";
import type { Account } from "../model";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { EmptyState } from "~/ui/empty-state";

/** Waivers are found by email address, so the user has to verify the address first. */
export function UnverifiedEmail({ account }: { account: Account }) {
  const resend = useResendConfirmation(account);
  return (
    <Card>
      <EmptyState
        title="Please verify your email"
        action={
          <Button variant="secondary" busy={resend.isPending} onClick={() => resend.mutate()}>
            Send the mail again
          </Button>
        }
      >
        We sent a link to <span className="wrap-anywhere">{account.email}</span>. Until you have opened it no
        waivers are shown here, so that no one else can see yours by typing your address.
      </EmptyState>
    </Card>
  );
}

/**
 * The confirmation link was opened on another device, possibly by someone else, so the user has to sign in again here.
 */
export function SignInAgain({ account }: { account: Account }) {
  const signOut = useSignOut(paths.signIn);
  return (
    <Card>
      <EmptyState
        title="One more step on this device"
        action={
          <Button busy={signOut.isPending} onClick={() => signOut.mutate()}>
            Sign in again
          </Button>
        }
      >
        <span className="wrap-anywhere">{account.email}</span> was verified on another device. Sign in again
        here, and your waivers appear.
      </EmptyState>
    </Card>
  );
}
