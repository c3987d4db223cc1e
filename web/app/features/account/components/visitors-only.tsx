import { useEffect, useState, type ReactNode } from "react";
import { useLocation, useNavigate } from "react-router";
import { mayBeSignedIn } from "~/lib/session";
import { useBrowserValue } from "~/lib/use-browser-value";
import { LoadingScreen } from "~/ui/loading-screen";
import { pathAfterSignIn, type SignInState } from "../model";

/** Redirects users who are already signed in to the page they requested, or to their home page. */
export function VisitorsOnly({ children }: { children: ReactNode }) {
  const isReturning = useBrowserValue(mayBeSignedIn, false);
  const [isVisitor, setVisitor] = useState(false);
  const navigate = useNavigate();
  const { state } = useLocation() as { state: SignInState };

  useEffect(() => {
    if (!mayBeSignedIn()) return;
    void import("../api/account")
      .then(({ readAccount }) => readAccount())
      .then((account) =>
        account ? navigate(pathAfterSignIn(account.role, state?.from), { replace: true }) : setVisitor(true),
      )
      .catch(() => setVisitor(true));
    // This runs only when the page opens. The form redirects a user who signs in here.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);

  return isReturning && !isVisitor ? <LoadingScreen /> : children;
}
