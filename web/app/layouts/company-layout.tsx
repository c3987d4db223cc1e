import { QueryClientProvider } from "@tanstack/react-query";
import { Menu as MenuIcon } from "lucide-react";
import { lazy, Suspense, useEffect, type ComponentProps, type ReactNode } from "react";
import { Link, Navigate, Outlet, useLocation, useOutletContext } from "react-router";
import { ConfirmEmailNotice } from "~/features/account/components/confirm-email-notice";
import { RequireRole } from "~/features/account/components/require-role";
import type { Account } from "~/features/account/model";
import { lockedTo } from "~/features/in-person/lock";
import {
  NotificationsButton,
  loadNotificationsPanel,
} from "~/features/notifications/components/notifications-button";
import { useLiveUpdates } from "~/features/notifications/use-live-updates";
import { useTrialReminder } from "~/features/trial/api/use-trial-reminder";
import { queryClient } from "~/lib/query-client";
import { whenIdle } from "~/lib/when-idle";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { Logo } from "~/ui/logo";
import { OnDemand } from "~/ui/on-demand";
import { AvatarButton } from "./avatar-button";
import { CompanyCommands } from "./company-commands";
import { CompanyNavigation } from "./company-navigation";
import { useOfflinePreparation } from "./use-offline-preparation";

const loadMenu = () => import("./account-menu");
const loadDrawer = () => import("./company-drawer");
const loadOfflinePreparation = () =>
  import("./company-offline").then(({ prepareCompanyOffline }) => prepareCompanyOffline);
const adoptTimeZone = (companyId: string) =>
  import("~/features/company-settings/api/adopt-time-zone").then((module) => module.adoptTimeZone(companyId));
const AccountMenu = lazy(loadMenu);
const CompanyDrawer = lazy(loadDrawer);
const nothing = () => ({ default: () => null });
// These two components are shown only after the trial was read. If they cannot be loaded, the page works without them.
const TrialBanner = lazy(() => import("~/features/trial/components/trial-banner").catch(nothing));
const TrialDays = lazy(() => import("~/features/trial/components/trial-days").catch(nothing));

export default function CompanyLayout() {
  return (
    <QueryClientProvider client={queryClient}>
      <RequireRole required="company">
        {(account) => (
          <CompanyFrame account={account}>
            <Outlet context={account} />
          </CompanyFrame>
        )}
      </RequireRole>
    </QueryClientProvider>
  );
}

/** Returns the signed-in account. Every page inside this layout can use it. */
export const useCompanyAccount = () => useOutletContext<Account>();

type FrameProps = { account: Account; children: ReactNode };

/**
 * Shows a page with the navigation and the header of the app. In-person signing fills the screen without them. While a
 * guest has the device, every other page redirects to in-person signing.
 */
export function CompanyFrame({ account, children }: FrameProps) {
  const { pathname, search } = useLocation();
  // An empty parameter does not count, because with it the page would show the templates.
  if (pathname === paths.templates && new URLSearchParams(search).get("sign")) return children;
  const lock = lockedTo();
  if (lock) return <Navigate to={paths.signInPerson(lock)} replace />;
  return <Shell account={account}>{children}</Shell>;
}

function Shell({ account, children }: FrameProps) {
  useLiveUpdates();
  // These parts are loaded when the browser is idle, because the server may be unreachable when the user needs them.
  useEffect(
    () =>
      whenIdle(() => void Promise.all([loadMenu(), loadDrawer(), loadNotificationsPanel()]).catch(() => {})),
    [],
  );
  useOfflinePreparation(loadOfflinePreparation, account.id);
  useTrialReminder();
  const { id: companyId, time_zone_is_set } = account.company ?? {};
  useEffect(() => {
    // If the server does not know the browser's time zone, or cannot be reached, the company keeps its time zone.
    if (companyId && time_zone_is_set === false) void adoptTimeZone(companyId).catch(() => {});
  }, [companyId, time_zone_is_set]);
  return (
    <div className="lg:grid lg:grid-cols-[16rem_1fr]">
      <a
        href="#content"
        className="sr-only z-50 rounded-lg bg-surface p-3 focus:not-sr-only focus:fixed focus:start-3 focus:top-3"
      >
        Skip to content
      </a>
      <aside className="sticky top-[var(--banner-height,0px)] hidden h-[calc(100dvh-var(--banner-height,0px))] flex-col overflow-y-auto border-e border-line bg-surface px-3 py-4 lg:flex">
        <Link to={paths.dashboard} className="mb-6 self-start rounded-lg px-3 py-1.5">
          <Logo />
        </Link>
        <CompanyNavigation />
      </aside>
      <div className="min-w-0">
        <header className="sticky top-[var(--banner-height,0px)] z-30 flex h-16 items-center gap-1 border-b border-line bg-ground px-3 sm:px-6">
          <div className="flex grow items-center gap-1 lg:hidden">
            <OnDemand kind="dialog" trigger={(props) => <DrawerButton {...props} />}>
              <CompanyDrawer trigger={<DrawerButton />} />
            </OnDemand>
            <Logo />
          </div>
          <p dir="auto" className="hidden grow truncate ps-2 text-muted lg:block">
            {account.company?.name}
          </p>
          <CompanyCommands />
          <NotificationsButton />
          <OnDemand
            kind="menu"
            trigger={(props) => (
              <AvatarButton {...props} name={account.name} picture={account.profilePicture} />
            )}
          >
            <AccountMenu account={account} />
          </OnDemand>
        </header>
        <main id="content" tabIndex={-1} className="mx-auto max-w-6xl px-4 py-6 outline-none sm:px-6 sm:py-9">
          {/* Only the first banner is shown. The trial banner is the more important one. */}
          <div className="not-empty:mb-6 [&>:not(:first-child)]:hidden">
            <Suspense>
              <TrialBanner />
            </Suspense>
            <ConfirmEmailNotice account={account} />
          </div>
          <Suspense>
            <TrialDays />
          </Suspense>
          {children}
        </main>
      </div>
    </div>
  );
}

function DrawerButton(props: ComponentProps<"button">) {
  return (
    <Button {...props} variant="ghost" size="icon" aria-label="Open menu">
      <MenuIcon aria-hidden />
    </Button>
  );
}
