import { LogOut, RotateCcw, X } from "lucide-react";
import { lazy, Suspense, useCallback, useEffect, useId, useRef, useState } from "react";
import { HandOver } from "~/features/in-person/components/hand-over";
import { StartOverDialog } from "~/features/in-person/components/start-over-dialog";
import { ThankYou } from "~/features/in-person/components/thank-you";
import { lockedTo, lockTo, unlock } from "~/features/in-person/lock";
import { shortId } from "~/features/in-person/model";
import { useWaiverToSign } from "~/features/in-person/use-waiver-to-sign";
import { draftKey } from "~/features/signing/draft-key";
import type { Draft } from "~/features/signing/signing-form";
import { useTemplates } from "~/features/templates/api/templates";
import { TemplatesFailure } from "~/features/templates/components/templates-failure";
import type { Template } from "~/features/templates/model";
import { toForm } from "~/lib/waiver-form/parse";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { Skeleton } from "~/ui/skeleton";
import { toast } from "~/ui/toast-store";
import { LeaveInPersonDialog } from "./leave-in-person-dialog";

const InPersonSigningForm = lazy(() => import("./in-person-signing-form"));
const InPersonGuardian = lazy(() => import("./in-person-guardian"));

/** The user can read the toast for this long before the page is left. */
const TOAST_DURATION_MS = 2_000;

type Props = {
  /** This is the value of the URL parameter `sign`: the id of a session or of a template. */
  signParameter: string;
  company: { id: string; name: string } | null;
  onNextGuest: (templateId: string) => void;
  onClose: () => void;
};

/** Fills the screen while a guest signs on the company's device. Nothing of the company's pages is shown. */
export default function InPersonPage(props: Props) {
  const { templates, isError, refetch } = useTemplates();
  // Each guest gets a new key, so that nothing is left of what the previous guest has typed or drawn.
  const [guest, setGuest] = useState(0);
  if (!templates) {
    return (
      <main className="mx-auto max-w-3xl p-6">
        {isError ? <TemplatesFailure onRetry={() => void refetch()} /> : <Loading />}
      </main>
    );
  }
  return <Guest key={guest} {...props} templates={templates} onReset={() => setGuest(guest + 1)} />;
}

type Step = "hand-over" | "signing" | "guardian" | "signed" | "signed elsewhere";

function Guest({
  signParameter,
  company,
  templates,
  onNextGuest,
  onClose,
  onReset,
}: Props & { templates: Template[]; onReset: () => void }) {
  const titleId = useId();
  const [step, setStep] = useState<Step>("hand-over");
  const [isLeaving, setLeaving] = useState(false);
  const { waiver, problem } = useWaiverToSign(signParameter, templates, company?.name ?? "");
  const [hasInput, setHasInput] = useState(false);
  const [isConfirming, setConfirming] = useState(false);
  const leave = useCallback(() => {
    unlock();
    onClose();
  }, [onClose]);
  useReportProblem(problem, leave);
  const isBroken = problem !== null;
  const session = waiver?.session;
  const templateId = session?.template_id;
  const next = useCallback(() => {
    if (templateId) {
      lockTo(templateId);
      onNextGuest(templateId);
    }
    onReset();
  }, [templateId, onNextGuest, onReset]);
  const start = (firstStep: Step) => {
    lockTo(signParameter);
    setStep(firstStep);
  };
  const showSignedElsewhere = useCallback(() => setStep("signed elsewhere"), []);
  const leaveForSigningPage = (draft: Draft) => {
    const isSample = templates.find(({ id }) => id === templateId)?.isSample;
    const url = paths.signingTemplate(templateId ?? "", isSample ? company?.id : undefined);
    keepForSigningPage(url, draft);
    setTimeout(() => window.location.assign(url), TOAST_DURATION_MS);
  };
  return (
    <main id="content">
      <div
        role="dialog"
        aria-modal="true"
        aria-labelledby={titleId}
        className="flex min-h-dvh flex-col bg-surface"
      >
        <header className="flex min-h-16 items-center gap-3 border-b border-line px-4 py-2 sm:px-6">
          <div className="min-w-0 grow">
            <h1 id={titleId} className="font-semibold">
              Sign Waiver
            </h1>
            {session && (
              <p dir="auto" className="text-sm text-pretty text-muted">
                {session.template_name} · Session {shortId(session.id)}
              </p>
            )}
          </div>
          {(step === "signing" || step === "guardian") && (
            <Button variant="ghost" onClick={() => (hasInput ? setConfirming(true) : onReset())}>
              <RotateCcw aria-hidden /> Start over
            </Button>
          )}
          {step === "hand-over" && <LeaveButton onClose={leave} onConfirm={() => setLeaving(true)} />}
        </header>
        <Suspense fallback={<Loading />}>
          {!waiver && !isBroken && <Loading />}
          {isBroken && (
            <p className="p-6 text-muted">This waiver cannot be signed here. Please hand the device back.</p>
          )}
          {session && step === "hand-over" && (
            <HandOver
              companyName={session.company_name}
              templateName={session.template_name}
              onStart={() => start("signing")}
              onGuardianAway={toForm(session.form)?.covers?.minors ? () => start("guardian") : null}
            />
          )}
          {waiver && step === "signing" && (
            <div className="mx-auto w-full max-w-3xl px-4 pt-6 sm:px-6">
              <InPersonSigningForm
                waiver={waiver}
                onInputChange={setHasInput}
                onSigned={() => setStep("signed")}
                onNotCreated={leaveForSigningPage}
              />
            </div>
          )}
          {waiver && step === "guardian" && (
            <InPersonGuardian waiver={waiver} onSigned={showSignedElsewhere} onNext={next} />
          )}
          {session && (step === "signed" || step === "signed elsewhere") && (
            <ThankYou
              templateName={session.template_name}
              isSignedElsewhere={step === "signed elsewhere"}
              onNext={next}
            />
          )}
        </Suspense>
      </div>
      {isConfirming && <StartOverDialog onStartOver={onReset} onContinue={() => setConfirming(false)} />}
      {isLeaving && <LeaveInPersonDialog onLeave={leave} onStay={() => setLeaving(false)} />}
    </main>
  );
}

/** The signing page shows what the guest has entered here. The guest has to consent again, because that page has its own text. */
function keepForSigningPage(url: string, draft: Draft): void {
  try {
    sessionStorage.setItem(
      draftKey(url),
      JSON.stringify({ draft: { ...draft, consentedAt: "" }, unsent: null }),
    );
  } catch {
    // The storage is full or disabled, so the guest starts again.
  }
}

/** Until the device is handed to the first guest, the user can leave without the password. */
function LeaveButton({ onClose, onConfirm }: { onClose: () => void; onConfirm: () => void }) {
  const [isLocked] = useState(() => lockedTo() !== null);
  return isLocked ? (
    <Button variant="ghost" onClick={onConfirm}>
      <LogOut aria-hidden /> Leave
    </Button>
  ) : (
    <Button variant="ghost" size="icon" aria-label="Close" onClick={onClose}>
      <X aria-hidden />
    </Button>
  );
}

/** Shows once why the waiver cannot be signed, and goes back unless a guest may have the device. */
function useReportProblem(problem: string | null, onLeave: () => void): void {
  const isReported = useRef(false);
  useEffect(() => {
    if (!problem || isReported.current) return;
    isReported.current = true;
    toast({ title: "Error", description: problem, destructive: true });
    if (lockedTo() === null) onLeave();
  }, [problem, onLeave]);
}

function Loading() {
  return (
    <div role="status" className="mx-auto flex w-full max-w-3xl flex-col gap-4 p-6">
      <p className="text-muted">Loading waiver...</p>
      <Skeleton className="h-48" />
      <Skeleton className="h-11" />
    </div>
  );
}
