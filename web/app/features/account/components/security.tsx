import type { ReactNode } from "react";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { useSignOut, useSignOutElsewhere } from "../api/sign-out";
import { ChangePasswordForm } from "./change-password-form";
import { SecondFactor } from "./second-factor";

export default function Security() {
  return (
    <Card aria-label="Password & Security" className="divide-y divide-line">
      <Part title="Password" about="Changing it signs out every other session.">
        <ChangePasswordForm />
      </Part>
      <Part
        title="Second factor"
        about="Besides the password, sign-in then asks for a code from an app on your phone."
      >
        <SecondFactor />
      </Part>
      <Part title="Sessions" about="A phone you lost, a computer that is not yours: end what is open there.">
        <Sessions />
      </Part>
    </Card>
  );
}

function Part({ title, about, children }: { title: string; about: string; children: ReactNode }) {
  return (
    <div className="p-5 sm:p-6">
      <h2 className="text-lg font-semibold">{title}</h2>
      <p className="mt-1 mb-5 text-muted">{about}</p>
      {children}
    </div>
  );
}

function Sessions() {
  const elsewhere = useSignOutElsewhere();
  const everywhere = useSignOut(paths.home, "global");
  return (
    <div className="flex flex-wrap gap-3">
      <Button variant="secondary" busy={elsewhere.isPending} onClick={() => elsewhere.mutate()}>
        Sign out other sessions
      </Button>
      <Button variant="secondary" busy={everywhere.isPending} onClick={() => everywhere.mutate()}>
        Sign out everywhere
      </Button>
    </div>
  );
}
