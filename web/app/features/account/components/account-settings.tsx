import { KeyRound, LogOut, type LucideIcon } from "lucide-react";
import { lazy, Suspense } from "react";
import { Link, useSearchParams } from "react-router";
import { Card } from "~/ui/card";
import { PageHeader } from "~/ui/page-header";
import { Skeleton } from "~/ui/skeleton";
import { useSignOut } from "../api/sign-out";
import type { Account } from "../model";
import { ProfileForm } from "./profile-form";

const Security = lazy(() => import("./security"));

type Props = { account: Account; afterSignOut: string };

/** The same page for companies and customers. */
export function AccountSettings({ account, afterSignOut }: Props) {
  const signOut = useSignOut(afterSignOut);
  const [query] = useSearchParams();
  const showsSecurity = query.get("section") === "security";
  return (
    <div className="flex max-w-2xl flex-col gap-6">
      <PageHeader title="Account Settings" />
      <Card className="p-5 sm:p-6" aria-label="Profile">
        <ProfileForm account={account} />
      </Card>
      <Card aria-labelledby="account-management">
        <h2 id="account-management" className="px-5 pt-5 pb-3 font-semibold sm:px-6">
          Account Management
        </h2>
        <ul className="divide-y divide-line border-t border-line">
          <li>
            <Link
              to={showsSecurity ? "?" : "?section=security"}
              preventScrollReset
              replace
              aria-expanded={showsSecurity}
              className={ROW}
            >
              <Words icon={KeyRound} title="Password & Security">
                Password, second factor, open sessions
              </Words>
            </Link>
          </li>
          <li>
            <button type="button" className={ROW} onClick={() => signOut.mutate()}>
              <Words icon={LogOut} title="Sign Out">
                Also removes what this browser keeps of your account
              </Words>
            </button>
          </li>
        </ul>
      </Card>
      {showsSecurity && (
        <Suspense fallback={<Skeleton className="h-96 w-full" />}>
          <Security />
        </Suspense>
      )}
    </div>
  );
}

const ROW =
  "flex min-h-14 w-full items-center gap-3.5 px-5 py-3 text-start transition-colors hover:bg-sunken/60 sm:px-6";

function Words({ icon: Icon, title, children }: { icon: LucideIcon; title: string; children: string }) {
  return (
    <>
      <Icon className="size-5 shrink-0 text-ink-soft" strokeWidth={1.75} aria-hidden />
      <span>
        <span className="block font-medium">{title}</span>
        <span className="block text-sm text-ink-soft">{children}</span>
      </span>
    </>
  );
}
