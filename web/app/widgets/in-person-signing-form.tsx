import { CircleCheck, Hourglass } from "lucide-react";
import { lazy, Suspense, useRef, useState, type ReactNode } from "react";
import { SessionNotCreated } from "~/features/in-person/api/create-session";
import { useSignWaiver } from "~/features/in-person/api/sign-waiver";
import { scrollDepth, isExpired } from "~/features/in-person/model";
import type { WaiverToSign } from "~/features/in-person/use-waiver-to-sign";
import { isEmpty, NO_SIGNATURE } from "~/features/signing/signature-input";
import { signatureRow } from "~/features/signing/signature-row";
import { SigningForm, type Draft, type SubmittedSignature } from "~/features/signing/signing-form";
import { WaiverText } from "~/features/signing/waiver-text";
import { RequestFailed } from "~/lib/request-failed";
import { toForm, toRefusal } from "~/lib/waiver-form/parse";
import type { Refusal } from "~/lib/waiver-form/types";
import { Notice } from "~/ui/notice";
import "./in-person-signing-form.css";

const FormSteps = lazy(async () => {
  const { FormSteps: component } = await import("~/features/signing/form/form-steps");
  return { default: component };
});

const InPersonInvitations = lazy(() => import("./in-person-invitations"));

type Props = {
  waiver: WaiverToSign;
  /** Reports whether starting over would lose a signature or what was entered into the form. */
  onInputChange: (hasInput: boolean) => void;
  onSigned: () => void;
  /** The server has refused to create the session, so the guest cannot sign here. `draft` is what the guest has entered. */
  onNotCreated: (draft: Draft) => void;
};

/** Shows the text in a scrolling box and the same form as on the guest's signing page. */
export default function InPersonSigningForm({ waiver, onInputChange, onSigned, onNotCreated }: Props) {
  const { session, consent, isNewSession } = waiver;
  const [openedAt] = useState(() => new Date());
  const [draft, setDraft] = useState<Draft>({
    name: session.recipient_name ?? "",
    email: session.recipient_email ?? "",
    signature: NO_SIGNATURE,
    consentedAt: "",
  });
  const maxScrollDepth = useRef(0);
  const measureScrollDepth = (box: HTMLElement | null) => {
    if (box) maxScrollDepth.current = Math.max(maxScrollDepth.current, scrollDepth(box));
  };
  const { mutate, isPending } = useSignWaiver();
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const form = toForm(session.form);
  const signableWaiver = {
    sessionId: session.id,
    templateId: session.template_id,
    name: session.template_name,
    content: session.template_content,
    company: session.company_name,
    consent,
  };
  const sign = (signature: SubmittedSignature) => {
    const evidence = {
      first_viewed_at: openedAt.toISOString(),
      last_viewed_at: new Date().toISOString(),
      scroll_depth: maxScrollDepth.current,
    };
    mutate(
      {
        signature: signatureRow(signableWaiver, signature, evidence),
        newSession: isNewSession ? session : null,
      },
      {
        onSuccess: onSigned,
        onError: (error) => {
          if (error instanceof SessionNotCreated && error.isRefused) onNotCreated(draft);
          if (error instanceof RequestFailed) setRefusal(toRefusal(error.code, error.details));
        },
      },
    );
  };

  if (isExpired(session, openedAt)) {
    return (
      <Notice icon={Hourglass} tone="amber" title="Waiver Expired">
        This waiver has expired and can no longer be signed. Please ask for a new one.
      </Notice>
    );
  }
  const shared = {
    draft,
    onDraft: (newDraft: Draft) => {
      setDraft(newDraft);
      onInputChange(!isEmpty(newDraft.signature) || newDraft.form !== undefined);
    },
    onSign: sign,
    isLocked: isPending,
    problem: "",
    consent: consent?.text ?? null,
    aside: (
      <p className="signing-consent">
        {session.company_name ? `Signed in person at ${session.company_name}.` : "Signed in person."}
      </p>
    ),
  };
  const alreadySigned = session.status === "signed" && (
    <div className="mb-4">
      <Notice icon={CircleCheck} title="Waiver Already Signed">
        It can be signed again. The earlier signature stays as it is.
      </Notice>
    </div>
  );
  const renderText = (initials?: (place: number) => ReactNode) => (
    <section
      ref={measureScrollDepth}
      aria-label="Waiver text"
      tabIndex={0}
      onScroll={(event) => measureScrollDepth(event.currentTarget)}
      className="mb-6 max-h-[50dvh] overflow-y-auto rounded-control border border-line bg-ground p-5"
    >
      <WaiverText
        content={session.template_content}
        names={{ participant: draft.name, company: session.company_name }}
        headingLevel={initials ? 3 : 2}
        {...(initials && { initials })}
      />
    </section>
  );
  return (
    <div className="in-person-signing">
      {form ? (
        <>
          {alreadySigned}
          <FormSteps
            {...shared}
            form={form}
            content={session.template_content}
            refusal={refusal}
            renderText={renderText}
            renderInvitations={(props) => (
              <Suspense>
                <InPersonInvitations {...props} waiver={waiver} />
              </Suspense>
            )}
          />
        </>
      ) : (
        <SigningForm {...shared}>
          {alreadySigned}
          {renderText()}
        </SigningForm>
      )}
    </div>
  );
}
