import { useState } from "react";
import { authClient } from "~/lib/auth";
import { Button } from "~/ui/button";
import { readAccount } from "../api/account";
import { verifyCode, verifyRecoveryCode } from "../api/verify-second-factor";
import type { Account } from "../model";
import { CodeForm } from "./code-form";

type Props = { onVerified: (account: Account) => void; onCancel: () => void };

/** Users with a second factor enter its code here, after the password. */
export default function SecondFactorStep({ onVerified, onCancel }: Props) {
  const [usesRecoveryCode, setUsesRecoveryCode] = useState(false);
  const verify = async (code: string) => {
    await (usesRecoveryCode ? verifyRecoveryCode(code) : verifyCode(code));
    const account = await readAccount();
    if (!account) throw new Error("Your account could not be loaded.");
    onVerified(account);
  };
  const cancel = async () => {
    await (await authClient()).signOut({ scope: "local" });
    onCancel();
  };

  return (
    <section aria-labelledby="second-step" className="flex flex-col gap-5">
      <h2 id="second-step" className="text-lg font-semibold">
        One more step
      </h2>
      <CodeForm
        key={String(usesRecoveryCode)}
        {...(usesRecoveryCode ? RECOVERY_TEXTS : APP_TEXTS)}
        numeric={!usesRecoveryCode}
        submitLabel="Continue"
        onCode={verify}
      >
        <Button variant="ghost" onClick={() => void cancel()}>
          Cancel
        </Button>
      </CodeForm>
      <Button variant="ghost" className="self-start" onClick={() => setUsesRecoveryCode(!usesRecoveryCode)}>
        {usesRecoveryCode ? "Use the authenticator app" : "Use a recovery code"}
      </Button>
    </section>
  );
}

const APP_TEXTS = { label: "Code", hint: "The six digits your authenticator app shows now." };
const RECOVERY_TEXTS = { label: "Recovery code", hint: "One of the codes you saved. Each works once." };
