import { useSyncExternalStore } from "react";
import { pendingAccountChoice, subscribeToAccountChoice } from "~/lib/account-choice";
import { Button } from "~/ui/button";
import { Dialog, DialogActions } from "~/ui/dialog";

/**
 * Asks which account to use if a link contains a session of another account. Otherwise someone could send a link to
 * their own account, and the user would enter data there unknowingly. Closing the dialog changes nothing.
 */
export default function AccountChoiceDialog() {
  const choice = useSyncExternalStore(subscribeToAccountChoice, pendingAccountChoice);
  if (!choice) return null;
  const { linkAccount, currentAccount, decide } = choice;
  return (
    <Dialog
      open
      onClose={() => decide(false)}
      title="Do you want to switch accounts?"
      description={`This link signs you in as ${linkAccount}. You are signed in as ${currentAccount}.`}
    >
      <p className="wrap-anywhere">
        If someone else sent you this link, stay signed in as {currentAccount}. What you enter after switching
        belongs to {linkAccount}.
      </p>
      <DialogActions>
        {/* The buttons name no account, because a button does not wrap its text and an address may be long. */}
        <Button variant="secondary" onClick={() => decide(true)}>
          Switch accounts
        </Button>
        <Button onClick={() => decide(false)}>Stay signed in</Button>
      </DialogActions>
    </Dialog>
  );
}
