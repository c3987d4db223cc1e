import type { ReactNode } from "react";
import { Navigate, useLocation } from "react-router";
import { paths } from "~/paths";
import { Failure } from "~/ui/failure";
import { LoadingScreen } from "~/ui/loading-screen";
import { useAccount } from "../api/account";
import { useFollowSession } from "../use-follow-session";
import { hasRole, homePathOf, type Account, type Role } from "../model";

type Props = { required: Role | readonly Role[]; children: (account: Account) => ReactNode };

/** Shows its content only to users with a required role. The role is read from the server. */
export function RequireRole({ required, children }: Props) {
  const { data: account, isPending, isError, refetch } = useAccount();
  const { pathname, search } = useLocation();

  if (isPending) return <LoadingScreen />;
  // If the account was loaded before, its pages stay open even if the server can no longer be reached.
  if (isError && account === undefined) {
    return (
      <main className="grid min-h-dvh place-items-center">
        <Failure title="Your account could not be loaded" onRetry={() => void refetch()}>
          The server did not answer. You are still signed in, and nothing was lost.
        </Failure>
      </main>
    );
  }
  if (!account) return <Navigate to={paths.signIn} replace state={{ from: pathname + search }} />;
  if (!hasRole(account.role, required)) return <Navigate to={homePathOf(account.role)} replace />;
  return <SessionFollower>{children(account)}</SessionFollower>;
}

/** This component is mounted after the account is loaded, so that the first view does not wait for the auth client. */
function SessionFollower({ children }: { children: ReactNode }) {
  useFollowSession();
  return children;
}
