import { useEffect, useId, useRef, useState, type FormEvent, type ReactNode } from "react";
import { isEmailAddress } from "../../lib/email-address";
import type { FormColumns } from "../../lib/waiver-form/types";
import { ConsentBox } from "./consent-box";
import type { FormDraft } from "./form/form-draft";
import {
  INCOMPLETE_EMAIL,
  FIELDS_REQUIRED,
  CONSENT_REQUIRED,
  missingFields,
  type RequiredField,
} from "./model";
import { isSignature, toSignatureRecord, type SignatureInput, type SignatureRecord } from "./signature-input";
import { SignaturePad } from "./signature-pad";
import "./signing-form.css";
import { renderPng } from "./surface";

export const PAD_SIZE = { width: 600, height: 200 };

/** `consentedAt` is when the consent box was ticked; it is empty while the box is not ticked. */
export type Draft = {
  name: string;
  email: string;
  signature: SignatureInput;
  consentedAt: string;
  /** What was entered into the form, if the waiver has one. */
  form?: FormDraft;
};
export type SubmittedSignature = {
  name: string;
  email: string;
  /** This is the signature as a PNG data URL. */
  picture: string;
  strokes: SignatureRecord;
  consentedAt: string;
  /** The id of the guest's session, if the guest has invited an adult before signing. */
  sessionId?: string | undefined;
  /** What is sent beside the signature if the waiver has a form. */
  formColumns?: FormColumns;
};

export type SigningProps = {
  draft: Draft;
  onDraft: (draft: Draft) => void;
  onSign: (signature: SubmittedSignature) => void;
  /** While the form is locked, the signature has been submitted and the server has not responded yet. */
  isLocked: boolean;
  /** This is the reason why the last attempt failed, or an empty string. */
  problem: string;
  /** The guest has to agree to this text before signing electronically. It is null if the server has no such text. */
  consent: string | null;
  /** This note is shown above the button, for example while the form waits for the network. */
  aside?: ReactNode;
};

/** The waiver text is inside the form, so that the button can stay visible while the guest reads. */
type Props = SigningProps & { children: ReactNode };

const TEXT_FIELDS = [
  ["name", "Your Name"],
  ["email", "Your Email"],
] as const;

type FieldName = RequiredField | "consent";
type FormError = { fields: FieldName[]; text: string };

const NO_ERROR: FormError = { fields: [], text: "" };

/** Shows the waiver text, followed by name, email, signature, consent and the button. */
export function SigningForm({ draft, onDraft, onSign, isLocked, problem, consent, aside, children }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const messageId = useId();
  const [error, setError] = useState<FormError>(NO_ERROR);
  // The field gets the focus after the message is rendered. The message makes the bar taller, and the bar must not
  // cover the field.
  useEffect(() => focusField(form.current, error.fields[0]), [error]);

  const change = (changes: Partial<Draft>) => {
    setError(NO_ERROR);
    onDraft({ ...draft, ...changes });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isLocked) return;
    const newError = validate(draft, consent !== null);
    setError(newError);
    if (newError.text) return;
    const { name, email, signature, consentedAt } = draft;
    onSign({
      name: name.trim(),
      email: email.trim(),
      picture: renderPng(signature, PAD_SIZE),
      strokes: toSignatureRecord(signature),
      consentedAt,
    });
  };
  const messageIdFor = (field: FieldName) => (error.fields.includes(field) ? messageId : undefined);
  // Name, email and signature are required, and the consent if the server has a text for it.
  const filledFieldCount = 3 - missingFields(signerOf(draft)).length;
  const hasConsented = consent !== null && draft.consentedAt;

  return (
    <form className="signing" ref={form} onSubmit={submit} noValidate>
      {children}
      <fieldset className="signing-fields" disabled={isLocked}>
        {TEXT_FIELDS.map(([name, label]) => (
          <Field
            key={name}
            label={label}
            name={name}
            value={draft[name]}
            problemId={messageIdFor(name)}
            onValue={(value) => change({ [name]: value })}
          />
        ))}
        <SignaturePad
          {...PAD_SIZE}
          signature={draft.signature}
          problemId={messageIdFor("signature")}
          onSignature={(signature) => change({ signature })}
        />
        {consent !== null && (
          <ConsentBox
            text={consent}
            consentedAt={draft.consentedAt}
            problemId={messageIdFor("consent")}
            onConsent={(consentedAt) => change({ consentedAt })}
          />
        )}
      </fieldset>
      <div className="signing-bar">
        <progress
          className="signing-progress"
          aria-label="What is filled in"
          max={consent === null ? 3 : 4}
          value={filledFieldCount + (hasConsented ? 1 : 0)}
        />
        <p id={messageId} className="signing-problem" role="alert">
          {error.text || problem}
        </p>
        {aside}
        <p className="signing-consent">
          By choosing Sign Waiver you agree to the text above and sign it electronically.
        </p>
        <button type="submit" className="primary" aria-disabled={isLocked}>
          {isLocked ? "Signing..." : "Sign Waiver"}
        </button>
      </div>
    </form>
  );
}

function validate(draft: Draft, needsConsent: boolean): FormError {
  const fields = missingFields(signerOf(draft));
  if (fields.length > 0) return { fields, text: FIELDS_REQUIRED };
  if (!isEmailAddress(draft.email)) return { fields: ["email"], text: INCOMPLETE_EMAIL };
  if (needsConsent && !draft.consentedAt) return { fields: ["consent"], text: CONSENT_REQUIRED };
  return NO_ERROR;
}

function signerOf({ name, email, signature }: Draft) {
  return { name, email, hasSigned: isSignature(signature) };
}

function focusField(form: HTMLFormElement | null, field: FieldName | undefined) {
  if (!field) return;
  // The canvas cannot be focused, so the selected radio button (Draw or Type) above it gets the focus.
  const target = field === "signature" ? "input:checked" : `[name=${field}]`;
  const input = form?.querySelector<HTMLInputElement>(target);
  input?.focus();
  input?.closest(".field, .signature, .consent")?.scrollIntoView({ block: "center" });
}

type FieldProps = {
  label: string;
  name: "name" | "email";
  value: string;
  problemId: string | undefined;
  onValue: (value: string) => void;
};

function Field({ label, name, value, problemId, onValue }: FieldProps) {
  return (
    <label className="field">
      <span>{label}</span>
      <input
        name={name}
        type={name === "email" ? "email" : "text"}
        value={value}
        dir="auto"
        autoComplete={name}
        maxLength={name === "name" ? 400 : 320}
        aria-required="true"
        aria-invalid={problemId !== undefined}
        aria-describedby={problemId}
        onChange={(event) => onValue(event.target.value)}
      />
    </label>
  );
}
