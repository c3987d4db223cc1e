import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { useSessionToSign } from "~/features/in-person/api/session-to-sign";
import { useStartSigning } from "~/features/in-person/api/start-signing";
import { StopSigningDialog } from "~/features/in-person/components/stop-signing-dialog";
import { NO_TEMPLATE, shortId, targetOf, troubleWith } from "~/features/in-person/model";
import { isBlank, type Template } from "~/features/templates/model";
import { isUnreachable } from "~/lib/reach";
import { paths } from "~/paths";
import { Dialog } from "~/ui/dialog";
import { Skeleton } from "~/ui/skeleton";
import { toast } from "~/ui/toast-store";

const InPersonSigningForm = lazy(() => import("./in-person-signing-form"));

/** Long enough to read the toast before the page is left. */
const READING_TIME = 2_000;

type Props = {
  /** What `?sign=` says. */
  value: string;
  templates: Template[];
  companyId: string | undefined;
  onSession: (sessionId: string) => void;
  onClose: () => void;
};

/** The dialog 'Sign Waiver', for a guest who stands at the desk. */
export function InPersonSigningDialog({ value, templates, companyId, onSession, onClose }: Props) {
  const { kind, id } = targetOf(value, templates);
  const { data: found, isError } = useSessionToSign(kind === "session" ? id : null);
  // The session a template keeps for its link is never signed itself: it is a template's name, too.
  const isTemplate = kind === "template" || found?.session.status === "template_default";
  const templateId = found?.session.template_id ?? id;
  const template = isTemplate ? templates.find((one) => one.id === templateId && !isBlank(one)) : undefined;
  useStarting(template, companyId, onSession, onClose);

  const missing = isTemplate && !template ? NO_TEMPLATE : null;
  const trouble = isTemplate ? missing : troubleWith({ isError, found });
  const isTold = useRef(false);
  useEffect(() => {
    if (!trouble || isTold.current) return;
    isTold.current = true;
    toast({ title: "Error", description: trouble, destructive: true });
    onClose();
  }, [trouble, onClose]);

  const [hasSignature, setHasSignature] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const session = isTemplate ? undefined : found?.session;
  return (
    <Dialog
      open
      onClose={() => (hasSignature ? setAsking(true) : onClose())}
      title="Sign Waiver"
      {...(session && { description: `${session.template_name} · Session ${shortId(session.id)}` })}
      size="lg"
    >
      <Suspense fallback={<Loading />}>
        {found && session ? (
          <InPersonSigningForm found={found} onSignatureChange={setHasSignature} onSigned={onClose} />
        ) : (
          <Loading />
        )}
      </Suspense>
      {isAsking && <StopSigningDialog onStop={onClose} onGoOn={() => setAsking(false)} />}
    </Dialog>
  );
}

/** Once: the new session takes the template's place in the address, so a reload does not open another. */
function useStarting(
  template: Template | undefined,
  companyId: string | undefined,
  onSession: (sessionId: string) => void,
  onClose: () => void,
) {
  const { mutate } = useStartSigning();
  const started = useRef(false);
  useEffect(() => {
    if (!template || started.current) return;
    started.current = true;
    mutate(template, {
      onSuccess: onSession,
      onError: () => {
        onClose();
        // The other page could not be opened either.
        if (isUnreachable()) return;
        const page = paths.signingTemplate(template.id, template.isSample ? companyId : undefined);
        setTimeout(() => window.location.assign(page), READING_TIME);
      },
    });
  }, [template, companyId, mutate, onSession, onClose]);
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
