import { MailX } from "lucide-react";
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from "react";
import { useNavigate } from "react-router";
import { endRecovery, isRecovering } from "~/lib/browser-cache";
import { isSigningIn, takeRedirectResult } from "~/lib/auth";
import { mayBeSignedIn, isSecondFactorPending } from "~/lib/session";
import { Notice } from "~/ui/notice";
import { toast } from "~/ui/toast-store";
import { homeOf } from "../model";
import { AskForRecoveryForm } from "./ask-for-recovery-form";

const NewPasswordForm = lazy(() => import("./new-password-form"));
const SecondStep = lazy(() => import("./second-step"));

type Stage = "ask" | "too-late" | "choose";

/** Asks for a mail, or, opened from that mail, for the new password. */
export function Recovery() {
  const [stage, setStage] = useState<Stage>("ask");
  const isWaiting = useSyncExternalStore(never, isSigningIn, () => false) && stage === "ask";
  const isHalfway = useSyncExternalStore(never, isSecondFactorPending, () => false);
  const [, proven] = useState(false);
  const navigate = useNavigate();
  useEffect(() => void stageOf().then(setStage), []);

  const changed = async () => {
    endRecovery();
    toast({ title: "Password changed", description: "You are signed in with it." });
    const { readAccount } = await import("../api/account");
    const account = await readAccount();
    await navigate(account ? homeOf(account.role) : "/", { replace: true });
  };

  if (isWaiting) return <p role="status">One moment…</p>;
  if (stage === "choose") {
    return (
      <Suspense>
        {isHalfway ? (
          <SecondStep onProven={() => proven(true)} onGiveUp={() => setStage("ask")} />
        ) : (
          <NewPasswordForm onChanged={changed} />
        )}
      </Suspense>
    );
  }
  return (
    <div className="flex flex-col gap-6">
      {stage === "too-late" && (
        <Notice tone="amber" icon={MailX} title="This link no longer works.">
          It has expired or was used before. Enter your email and we send you a new one.
        </Notice>
      )}
      <AskForRecoveryForm />
    </div>
  );
}

const never = () => () => {};

async function stageOf(): Promise<Stage> {
  const news = await takeRedirectResult();
  // Kept in the tab: the link is used up, so a reload must still know what the page was opened for.
  if (isRecovering() && mayBeSignedIn()) return "choose";
  return news?.error || news?.redirect.kind === "error" ? "too-late" : "ask";
}
