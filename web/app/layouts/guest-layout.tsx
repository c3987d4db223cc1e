import { QueryClientProvider } from "@tanstack/react-query";
import { LogOut } from "lucide-react";
import { lazy, Suspense } from "react";
import { NavLink, Outlet } from "react-router";
import { useSignOut } from "~/features/account/api/sign-out";
import { RequireRole } from "~/features/account/components/require-role";
import type { Account } from "~/features/account/model";
import { useTrialReminder } from "~/features/trial/api/use-trial-reminder";
import { GuestTrialBanner } from "~/features/trial/components/guest-trial-banner";
import { GuestTrialBadge } from "~/features/trial/components/guest-trial-badge";
import { queryClient } from "~/lib/query-client";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { Logo, Mark } from "~/ui/logo";
import { useOfflinePreparation } from "./use-offline-preparation";

const loadOfflinePreparation = () =>
  import("./guest-offline").then(({ prepareGuestOffline }) => prepareGuestOffline);

const DeletionBanner = lazy(() => import("~/features/account/components/deletion-banner"));

const ENTRIES = [
  { to: paths.guestHome, label: "My Waivers" },
  { to: paths.guestProfile, label: "Profile" },
];

export default function GuestLayout() {
  return (
    <QueryClientProvider client={queryClient}>
      <RequireRole required="customer">{(account) => <Shell account={account} />}</RequireRole>
    </QueryClientProvider>
  );
}

function Shell({ account }: { account: Account }) {
  const signOut = useSignOut(paths.signIn);
  useTrialReminder();
  useOfflinePreparation(loadOfflinePreparation, account.id);
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="sticky top-[var(--banner-height,0px)] z-30 border-b border-line bg-ground">
        <div className="mx-auto flex min-h-16 max-w-4xl flex-wrap items-center gap-x-3 px-4 max-sm:pt-2 sm:gap-x-8">
          <Logo className="max-sm:hidden" />
          <Mark className="size-7 shrink-0 text-forest sm:hidden" />
          <nav aria-label="Main" className="flex grow gap-3 whitespace-nowrap sm:gap-5">
            {ENTRIES.map(({ to, label }) => (
              <NavLink
                key={to}
                end
                to={to}
                className="inline-flex h-11 items-center rounded px-1 font-medium text-muted hover:text-foreground aria-[current=page]:text-forest-text"
              >
                {label}
              </NavLink>
            ))}
          </nav>
          <div className="empty:hidden max-sm:order-last max-sm:w-full max-sm:pt-1 max-sm:pb-3">
            <GuestTrialBadge />
          </div>
          <Button variant="secondary" size="sm" onClick={() => signOut.mutate()}>
            <LogOut aria-hidden /> Sign out
          </Button>
        </div>
      </header>
      <main className="mx-auto w-full max-w-4xl grow px-4 py-8">
        {account.deleteAt && (
          <div className="mb-6">
            <Suspense>
              <DeletionBanner deleteAt={account.deleteAt} />
            </Suspense>
          </div>
        )}
        <div className="not-empty:mb-6">
          <GuestTrialBanner />
        </div>
        <Outlet context={account} />
      </main>
      <footer className="border-t border-line py-6 text-center text-sm text-muted">
        Simplifying waiver management for businesses.
      </footer>
    </div>
  );
}
