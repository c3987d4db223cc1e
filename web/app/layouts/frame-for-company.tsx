import { QueryClientProvider } from "@tanstack/react-query";
import { lazy, Suspense, type ReactNode } from "react";
import { useAccount } from "~/features/account/api/account";
import type { Account } from "~/features/account/model";
import { queryClient } from "~/lib/query-client";
import { mayBeSignedIn } from "~/lib/session";
import { useIsInBrowser } from "~/lib/use-browser-value";
import { LoadingScreen } from "~/ui/loading-screen";

const CompanyFrame = lazy(() =>
  import("./company-layout").then((layout) => ({ default: layout.CompanyFrame })),
);

/** `children` is the page inside the frame of the app, and `plain` the same page for everyone else. */
type Props = { plain: ReactNode; children: ReactNode };

/** Shows a public page to a signed-in company inside the frame of the app. */
export function FrameForCompany({ plain, children }: Props) {
  const isInBrowser = useIsInBrowser();
  if (!isInBrowser) return <LoadingScreen />;
  if (!mayBeSignedIn()) return plain;
  return (
    <QueryClientProvider client={queryClient}>
      <Choice plain={plain}>{children}</Choice>
    </QueryClientProvider>
  );
}

function Choice({ plain, children }: Props) {
  const { data: account, isPending } = useAccount();
  if (isPending) return <LoadingScreen />;
  return isCompany(account) ? (
    <Suspense fallback={<LoadingScreen />}>
      <CompanyFrame account={account}>
        <div className="flex flex-col gap-6">{children}</div>
      </CompanyFrame>
    </Suspense>
  ) : (
    plain
  );
}

const isCompany = (account: Account | null | undefined): account is Account => account?.role === "company";
