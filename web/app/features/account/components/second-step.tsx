import { useState } from "react";
import { authClient } from "~/lib/auth";
import { Button } from "~/ui/button";
import { readAccount } from "../api/account";
import { proveByCode, proveByRecoveryCode } from "../api/prove";
import type { Account } from "../model";
import { CodeForm } from "./code-form";

type Props = { onProven: (account: Account) => void; onGiveUp: () => void };

/** Between the password and the account, for those who asked for it. */
export default function SecondStep({ onProven, onGiveUp }: Props) {
  const [isLost, setLost] = useState(false);
  const prove = async (code: string) => {
    await (isLost ? proveByRecoveryCode(code) : proveByCode(code));
    const account = await readAccount();
    if (!account) throw new Error("Your account could not be loaded.");
    onProven(account);
  };
  const giveUp = async () => {
    await (await authClient()).signOut({ scope: "local" });
    onGiveUp();
  };

  return (
    <section aria-labelledby="second-step" className="flex flex-col gap-5">
      <h2 id="second-step" className="text-lg font-semibold">
        One more step
      </h2>
      <CodeForm
        key={String(isLost)}
        {...(isLost ? RECOVERY : APP)}
        numeric={!isLost}
        submit="Continue"
        onCode={prove}
      >
        <Button variant="ghost" onClick={() => void giveUp()}>
          Cancel
        </Button>
      </CodeForm>
      <Button variant="ghost" className="self-start" onClick={() => setLost(!isLost)}>
        {isLost ? "Use the authenticator app" : "Use a recovery code"}
      </Button>
    </section>
  );
}

const APP = { label: "Code", hint: "The six digits your authenticator app shows now." };
const RECOVERY = { label: "Recovery code", hint: "One of the codes you saved. Each works once." };
