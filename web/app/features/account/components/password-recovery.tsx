import { MailX } from "lucide-react";
import { lazy, Suspense, useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { accountName } from "~/lib/account-choice";
import { endRecovery, isRecovering } from "~/lib/browser-cache";
import { isSigningIn, takeRedirectResult } from "~/lib/auth";
import { mayBeSignedIn, isSecondFactorPending } from "~/lib/session";
import { storedSession } from "~/lib/stored-session";
import { useBrowserValue } from "~/lib/use-browser-value";
import { Notice } from "~/ui/notice";
import { toast } from "~/ui/toast-store";
import { homePathOf } from "../model";
import { PasswordResetRequestForm } from "./password-reset-request-form";

const NewPasswordForm = lazy(() => import("./new-password-form"));
const SecondFactorStep = lazy(() => import("./second-factor-step"));

type Stage = "request" | "link-expired" | "choose-password";

/**
 * Shows the form that requests the recovery email. If the page was opened from the link in that email, it shows the form
 * for the new password instead.
 */
export function PasswordRecovery() {
  const [stage, setStage] = useState<Stage>("request");
  const isWaiting = useBrowserValue(isSigningIn, false) && stage === "request";
  const needsSecondFactor = useBrowserValue(isSecondFactorPending, false);
  // The value is not used. Setting it renders the page again after the second factor was verified.
  const [, setVerified] = useState(false);
  const navigate = useNavigate();
  useEffect(() => void determineStage().then(setStage), []);

  const finish = async () => {
    endRecovery();
    const { readAccount } = await import("../api/account");
    const account = await readAccount();
    toast({
      title: "Password changed",
      description: `You are signed in as ${accountName(storedSession()?.user)}.`,
    });
    await navigate(account ? homePathOf(account.role) : "/", { replace: true });
  };

  if (isWaiting) return <p role="status">One moment…</p>;
  if (stage === "choose-password") {
    return (
      <Suspense>
        {needsSecondFactor ? (
          <SecondFactorStep onVerified={() => setVerified(true)} onCancel={() => setStage("request")} />
        ) : (
          <NewPasswordForm onChanged={finish} />
        )}
      </Suspense>
    );
  }
  return (
    <div className="flex flex-col gap-6">
      {stage === "link-expired" && (
        <Notice tone="amber" icon={MailX} title="This link no longer works.">
          It has expired or was used before. Enter your email and we send you a new one.
        </Notice>
      )}
      <PasswordResetRequestForm />
    </div>
  );
}

async function determineStage(): Promise<Stage> {
  const result = await takeRedirectResult();
  // The tab remembers that the link was opened, because the link works only once and the page may be reloaded.
  if (isRecovering() && mayBeSignedIn()) return "choose-password";
  return result?.error || result?.redirect.kind === "error" ? "link-expired" : "request";
}
