import { useSyncExternalStore, type ReactNode } from "react";
import { Navigate, useLocation } from "react-router";
import { mayBeSignedIn } from "~/lib/supabase";
import { LoadingScreen } from "~/ui/loading-screen";
import { useAccount } from "../api/account";
import { landing } from "../model";

/** Sends people who are already signed in to where they wanted to go, or home. */
export function VisitorsOnly({ children }: { children: ReactNode }) {
  const { data: account, isPending } = useAccount();
  const returning = useSyncExternalStore(never, mayBeSignedIn, () => false);
  const { state } = useLocation() as { state: { from?: unknown } | null };

  if (account) return <Navigate to={landing(account.role, state?.from)} replace />;
  if (returning && isPending) return <LoadingScreen />;
  return children;
}

const never = () => () => {};
