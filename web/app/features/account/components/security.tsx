import type { ReactNode } from "react";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { useSignOut, useSignOutOtherSessions } from "../api/sign-out";
import { ChangePasswordForm } from "./change-password-form";
import { SecondFactorSettings } from "./second-factor-settings";

export default function Security() {
  return (
    <Card aria-label="Password & Security" className="divide-y divide-line">
      <Section title="Password" description="Changing it signs out every other session.">
        <ChangePasswordForm />
      </Section>
      <Section
        title="Second factor"
        description="Besides the password, sign-in then asks for a code from an app on your phone."
      >
        <SecondFactorSettings />
      </Section>
      <Section
        title="Sessions"
        description="A phone you lost, a computer that is not yours: end what is open there."
      >
        <Sessions />
      </Section>
    </Card>
  );
}

function Section({
  title,
  description,
  children,
}: {
  title: string;
  description: string;
  children: ReactNode;
}) {
  return (
    <div className="p-5 sm:p-6">
      <h2 className="text-lg font-semibold">{title}</h2>
      <p className="mt-1 mb-5 text-muted">{description}</p>
      {children}
    </div>
  );
}

function Sessions() {
  const signOutOthers = useSignOutOtherSessions();
  const signOutEverywhere = useSignOut(paths.home, "global");
  return (
    <div className="flex flex-wrap gap-3">
      <Button variant="secondary" busy={signOutOthers.isPending} onClick={() => signOutOthers.mutate()}>
        Sign out other sessions
      </Button>
      <Button
        variant="secondary"
        busy={signOutEverywhere.isPending}
        onClick={() => signOutEverywhere.mutate()}
      >
        Sign out everywhere
      </Button>
    </div>
  );
}
