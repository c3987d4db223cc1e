import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { useSessionToSign } from "~/features/in-person/api/session-to-sign";
import { useStartSigning } from "~/features/in-person/api/start-signing";
import { StopSigningDialog } from "~/features/in-person/components/stop-signing-dialog";
import { TEMPLATE_NOT_FOUND, shortId, parseSignParameter, sessionProblem } from "~/features/in-person/model";
import { isBlank, type Template } from "~/features/templates/model";
import { isUnreachable } from "~/lib/connection";
import { paths } from "~/paths";
import { Dialog } from "~/ui/dialog";
import { Skeleton } from "~/ui/skeleton";
import { toast } from "~/ui/toast-store";

const InPersonSigningForm = lazy(() => import("./in-person-signing-form"));

/** The user can read the toast for this long before the page is left. */
const TOAST_DURATION_MS = 2_000;

type Props = {
  /** This is the value of the URL parameter `sign`: the id of a session or of a template. */
  signParameter: string;
  templates: Template[];
  companyId: string | undefined;
  onSessionStarted: (sessionId: string) => void;
  onClose: () => void;
};

/** Shows the dialog in which a guest signs in person, on the company's device. */
export function InPersonSigningDialog(props: Props) {
  const { signParameter, templates, companyId, onSessionStarted, onClose } = props;
  const { kind, id } = parseSignParameter(signParameter, templates);
  const { data: result, isError } = useSessionToSign(kind === "session" ? id : null);
  // The default session of a template is never signed itself, so its id refers to the template.
  const isTemplate = kind === "template" || result?.session.status === "template_default";
  const templateId = result?.session.template_id ?? id;
  const template = isTemplate
    ? templates.find((candidate) => candidate.id === templateId && !isBlank(candidate))
    : undefined;
  useStartSession(template, companyId, onSessionStarted, onClose);

  const templateProblem = isTemplate && !template ? TEMPLATE_NOT_FOUND : null;
  const problem = isTemplate ? templateProblem : sessionProblem({ isError, result });
  const isReported = useRef(false);
  useEffect(() => {
    if (!problem || isReported.current) return;
    isReported.current = true;
    toast({ title: "Error", description: problem, destructive: true });
    onClose();
  }, [problem, onClose]);

  const [hasSignature, setHasSignature] = useState(false);
  const [isConfirming, setConfirming] = useState(false);
  const session = isTemplate ? undefined : result?.session;
  return (
    <Dialog
      open
      onClose={() => (hasSignature ? setConfirming(true) : onClose())}
      title="Sign Waiver"
      {...(session && { description: `${session.template_name} · Session ${shortId(session.id)}` })}
      size="lg"
    >
      <Suspense fallback={<Loading />}>
        {result && session ? (
          <InPersonSigningForm
            sessionWithConsent={result}
            onSignatureChange={setHasSignature}
            onSigned={onClose}
          />
        ) : (
          <Loading />
        )}
      </Suspense>
      {isConfirming && <StopSigningDialog onStop={onClose} onContinue={() => setConfirming(false)} />}
    </Dialog>
  );
}

/** Starts one session. Its id replaces the template in the URL, so that a reload does not create another session. */
function useStartSession(
  template: Template | undefined,
  companyId: string | undefined,
  onSessionStarted: (sessionId: string) => void,
  onClose: () => void,
) {
  const { mutate } = useStartSigning();
  const hasStarted = useRef(false);
  useEffect(() => {
    if (!template || hasStarted.current) return;
    hasStarted.current = true;
    mutate(template, {
      onSuccess: onSessionStarted,
      onError: () => {
        onClose();
        // Without the server the signing page could not be loaded either.
        if (isUnreachable()) return;
        const url = paths.signingTemplate(template.id, template.isSample ? companyId : undefined);
        setTimeout(() => window.location.assign(url), TOAST_DURATION_MS);
      },
    });
  }, [template, companyId, mutate, onSessionStarted, onClose]);
}

function Loading() {
  return (
    <div role="status" className="flex flex-col gap-4">
      <p className="text-muted">Loading waiver...</p>
      <Skeleton className="h-48" />
      <Skeleton className="h-11" />
    </div>
  );
}
