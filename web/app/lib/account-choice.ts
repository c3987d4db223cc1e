/** The choice that the user has to make if a link signs in to another account than the current one. */
export type AccountChoice = {
  /** The email address or phone number of the account in the link. */
  linkAccount: string;
  /** The email address or phone number of the account that is signed in. */
  currentAccount: string;
  decide: (isSwitching: boolean) => void;
};

/** Returns the email address or phone number by which the user recognizes the account. */
export const accountName = (user?: { email?: string; phone?: string }): string =>
  user?.email || (user?.phone ? `+${user.phone}` : "another account");

type Listener = () => void;

let pendingChoice: AccountChoice | null = null;
const listeners = new Set<Listener>();

/** Asks the user which account to use. Resolves with true if the user chooses the account of the link. */
export function chooseAccount(linkAccount: string, currentAccount: string): Promise<boolean> {
  return new Promise((resolve) => {
    const decide = (isSwitching: boolean) => {
      setPendingChoice(null);
      resolve(isSwitching);
    };
    setPendingChoice({ linkAccount, currentAccount, decide });
  });
}

export const pendingAccountChoice = (): AccountChoice | null => pendingChoice;

export function subscribeToAccountChoice(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function setPendingChoice(choice: AccountChoice | null): void {
  pendingChoice = choice;
  for (const listener of listeners) listener();
}
