import { useEffect, useSyncExternalStore, useState, type ReactNode } from "react";
import { useLocation, useNavigate } from "react-router";
import { mayBeSignedIn } from "~/lib/session";
import { LoadingScreen } from "~/ui/loading-screen";
import { landing, type WantedPlace } from "../model";

/** Sends people who are already signed in to where they wanted to go, or home. */
export function VisitorsOnly({ children }: { children: ReactNode }) {
  const returning = useSyncExternalStore(never, mayBeSignedIn, () => false);
  const [isVisitor, setVisitor] = useState(false);
  const navigate = useNavigate();
  const { state } = useLocation() as { state: WantedPlace };

  useEffect(() => {
    if (!mayBeSignedIn()) return;
    void import("../api/account")
      .then(({ readAccount }) => readAccount())
      .then((account) =>
        account ? navigate(landing(account.role, state?.from), { replace: true }) : setVisitor(true),
      )
      .catch(() => setVisitor(true));
    // Asked once, on arrival: whoever signs in on this page is sent on by the form.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);

  return returning && !isVisitor ? <LoadingScreen /> : children;
}

const never = () => () => {};
