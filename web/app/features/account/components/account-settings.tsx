import { cx } from "class-variance-authority";
import {
  BellRing,
  ChevronDown,
  ChevronRight,
  CreditCard,
  KeyRound,
  LogOut,
  type LucideIcon,
} from "lucide-react";
import { lazy, Suspense } from "react";
import { Link, useSearchParams } from "react-router";
import { paths } from "~/paths";
import { Card } from "~/ui/card";
import { PageHeader } from "~/ui/page-header";
import { Skeleton } from "~/ui/skeleton";
import { useSignOut } from "../api/sign-out";
import type { Account } from "../model";
import { ProfileForm } from "./profile-form";

const Security = lazy(() => import("./security"));
const NotificationSettings = lazy(() => import("./notification-settings"));

type Props = { account: Account; pathAfterSignOut: string };

/** Companies and guests share this settings page. */
export function AccountSettings({ account, pathAfterSignOut }: Props) {
  const signOut = useSignOut(pathAfterSignOut);
  const [query] = useSearchParams();
  const section = query.get("section");
  return (
    <div className="flex max-w-2xl flex-col gap-6">
      <PageHeader title="Account Settings" />
      <Card className="p-5 sm:p-6" aria-label="Profile">
        <ProfileForm account={account} />
      </Card>
      <Card aria-labelledby="account-management">
        <h2 id="account-management" className="px-5 pt-5 pb-3 text-lg font-semibold sm:px-6">
          Account Management
        </h2>
        <ul className="divide-y divide-line border-t border-line">
          {account.role === "company" && (
            <li>
              <Link to={paths.billing} className={ROW_CLASSES}>
                <RowText icon={CreditCard} title="Subscription & Billing">
                  Plan, payment and invoices
                </RowText>
                <ChevronRight className="size-4.5 shrink-0 text-muted rtl:rotate-180" aria-hidden />
              </Link>
            </li>
          )}
          <SectionLink name="security" openSection={section} icon={KeyRound} title="Password & Security">
            Password, second factor, open sessions
          </SectionLink>
          <SectionLink name="notifications" openSection={section} icon={BellRing} title="Notifications">
            How you are notified of signed waivers
          </SectionLink>
          <li>
            <button type="button" className={ROW_CLASSES} onClick={() => signOut.mutate()}>
              <RowText icon={LogOut} title="Sign Out">
                Also removes what this browser keeps of your account
              </RowText>
            </button>
          </li>
        </ul>
      </Card>
      <Suspense fallback={<Skeleton className="h-96 w-full" />}>
        {section === "security" && <Security />}
        {section === "notifications" && <NotificationSettings account={account} />}
      </Suspense>
    </div>
  );
}

const ROW_CLASSES =
  "flex min-h-14 w-full items-center gap-3.5 px-5 py-3 text-start transition-colors hover:bg-sunken/60 sm:px-6";

type SectionLinkProps = {
  name: string;
  openSection: string | null;
  icon: LucideIcon;
  title: string;
  children: string;
};

/** Renders a link that opens a section below the card. The URL says which section is open. */
function SectionLink({ name, openSection, icon, title, children }: SectionLinkProps) {
  const isOpen = openSection === name;
  return (
    <li>
      <Link
        to={isOpen ? "?" : `?section=${name}`}
        preventScrollReset
        replace
        aria-expanded={isOpen}
        className={ROW_CLASSES}
      >
        <RowText icon={icon} title={title}>
          {children}
        </RowText>
        <ChevronDown
          className={cx("size-4.5 shrink-0 text-muted transition-transform", isOpen && "rotate-180")}
          aria-hidden
        />
      </Link>
    </li>
  );
}

function RowText({ icon: Icon, title, children }: { icon: LucideIcon; title: string; children: string }) {
  return (
    <>
      <Icon className="size-5 shrink-0 text-muted" strokeWidth={1.75} aria-hidden />
      <span className="min-w-0 grow">
        <span className="block font-medium">{title}</span>
        <span className="block text-sm text-muted">{children}</span>
      </span>
    </>
  );
}
