import { useSyncExternalStore } from "react";
import { openAccountChoice, subscribeToAccountChoice } from "~/lib/account-choice";
import { Button } from "~/ui/button";
import { Dialog, DialogActions } from "~/ui/dialog";

/** An email address may be longer than the screen of a phone is wide. */
const WRAPPING = "h-auto min-h-11 shrink py-2 whitespace-normal wrap-anywhere md:h-auto";

/**
 * Asks which account to use if a link contains a session of another account. Otherwise someone could send a link to
 * their own account, and the user would enter data there unknowingly. Closing the dialog changes nothing.
 */
export default function AccountChoiceDialog() {
  const choice = useSyncExternalStore(subscribeToAccountChoice, openAccountChoice);
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
        <Button variant="secondary" className={WRAPPING} onClick={() => decide(true)}>
          Continue as {linkAccount}
        </Button>
        <Button className={WRAPPING} onClick={() => decide(false)}>
          Stay signed in as {currentAccount}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
