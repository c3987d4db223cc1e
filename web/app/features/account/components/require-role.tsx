import type { ReactNode } from "react";
import { Navigate, useLocation } from "react-router";
import type { Role } from "~/lib/database";
import { paths } from "~/paths";
import { Failure } from "~/ui/failure";
import { LoadingScreen } from "~/ui/loading-screen";
import { useAccount } from "../api/account";
import { useFollowSession } from "../follow-session";
import { hasRole, homeOf, type Account } from "../model";

type Props = { required: Role | readonly Role[]; children: (account: Account) => ReactNode };

/** Shows its content only to people whose role, read from the server, allows it. */
export function RequireRole({ required, children }: Props) {
  const { data: account, isPending, isError, refetch } = useAccount();
  const { pathname, search } = useLocation();

  if (isPending) return <LoadingScreen />;
  if (isError) {
    return (
      <main className="grid min-h-dvh place-items-center">
        <Failure title="Your account could not be loaded" onRetry={() => void refetch()}>
          The server did not answer. You are still signed in, and nothing was lost.
        </Failure>
      </main>
    );
  }
  if (!account) return <Navigate to={paths.signIn} replace state={{ from: pathname + search }} />;
  if (!hasRole(account.role, required)) return <Navigate to={homeOf(account.role)} replace />;
  return <Followed>{children(account)}</Followed>;
}

/** Only once there is someone to follow, so that the first view does not wait for it. */
function Followed({ children }: { children: ReactNode }) {
  useFollowSession();
  return children;
}
