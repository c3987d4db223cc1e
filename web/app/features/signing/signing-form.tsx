import { useEffect, useId, useRef, useState, type FormEvent, type ReactNode } from "react";
import { ConsentBox } from "./consent-box";
import { evidence, isSignature, type Ink, type Making } from "./ink";
import { INCOMPLETE_EMAIL, REQUIRED, UNCONSENTED, isCompleteEmail, missing, type Needed } from "./model";
import { SignaturePad } from "./signature-pad";
import "./signing-form.css";
import { image } from "./surface";

export const PAD = { width: 600, height: 200 };

/** `consentedAt` is when the box was ticked, empty while it is not. */
export type Draft = { name: string; email: string; ink: Ink; consentedAt: string };
export type Signed = {
  name: string;
  email: string;
  signature: string;
  strokes: Making;
  consentedAt: string;
};

type Props = {
  draft: Draft;
  onDraft: (draft: Draft) => void;
  onSign: (signed: Signed) => void;
  /** Being sent, or kept until it can be: what was signed must not change any more. */
  locked: boolean;
  /** Why the last attempt did not succeed. */
  problem: string;
  /** What is to be agreed to before signing electronically. */
  consent: string | null;
  /** Something to know while the button is out of reach. */
  aside?: ReactNode;
  /** What is being signed. Inside the form, so that the button can stay in sight while it is read. */
  children: ReactNode;
};

type Place = Needed | "consent";
type Wrong = { fields: Place[]; text: string };

const NOTHING_WRONG: Wrong = { fields: [], text: "" };

/** The words, then name, email, signature and the one button. */
export function SigningForm({ draft, onDraft, onSign, locked, problem, consent, aside, children }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const problemId = useId();
  const [wrong, setWrong] = useState<Wrong>(NOTHING_WRONG);
  // After the words are on the page: they make the bar taller, and it must not cover what they are about.
  useEffect(() => focus(form.current, wrong.fields[0]), [wrong]);

  const change = (part: Partial<Draft>) => {
    setWrong(NOTHING_WRONG);
    onDraft({ ...draft, ...part });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (locked) return;
    const refused = refusal(draft, consent !== null);
    setWrong(refused);
    if (refused.text) return;
    const { name, email, ink, consentedAt } = draft;
    onSign({
      name: name.trim(),
      email: email.trim(),
      signature: image(ink, PAD),
      strokes: evidence(ink),
      consentedAt,
    });
  };
  const toldAbout = (field: Place) => (wrong.fields.includes(field) ? problemId : undefined);

  return (
    <form className="signing" ref={form} onSubmit={submit} noValidate>
      {children}
      <fieldset className="signing-fields" disabled={locked}>
        <Field
          label="Your Name"
          name="name"
          value={draft.name}
          problemId={toldAbout("name")}
          onValue={(name) => change({ name })}
        />
        <Field
          label="Your Email"
          name="email"
          type="email"
          value={draft.email}
          problemId={toldAbout("email")}
          onValue={(email) => change({ email })}
        />
        <SignaturePad
          {...PAD}
          ink={draft.ink}
          problemId={toldAbout("signature")}
          onInk={(ink) => change({ ink })}
        />
        {consent !== null && (
          <ConsentBox
            text={consent}
            consentedAt={draft.consentedAt}
            problemId={toldAbout("consent")}
            onConsent={(consentedAt) => change({ consentedAt })}
          />
        )}
      </fieldset>
      <div className="signing-bar">
        <progress
          className="signing-progress"
          aria-label="What is filled in"
          max={consent === null ? 3 : 4}
          value={3 - missing(answers(draft)).length + (consent !== null && draft.consentedAt ? 1 : 0)}
        />
        <p id={problemId} className="signing-problem" role="alert">
          {wrong.text || problem}
        </p>
        {aside}
        <p className="signing-consent">
          By choosing Sign Waiver you agree to the text above and sign it electronically.
        </p>
        <button type="submit" className="primary" aria-disabled={locked}>
          {locked ? "Signing..." : "Sign Waiver"}
        </button>
      </div>
    </form>
  );
}

function refusal(draft: Draft, needsConsent: boolean): Wrong {
  const fields = missing(answers(draft));
  if (fields.length > 0) return { fields, text: REQUIRED };
  if (!isCompleteEmail(draft.email)) return { fields: ["email"], text: INCOMPLETE_EMAIL };
  if (needsConsent && !draft.consentedAt) return { fields: ["consent"], text: UNCONSENTED };
  return NOTHING_WRONG;
}

function answers({ name, email, ink }: Draft) {
  return { name, email, signed: isSignature(ink) };
}

function focus(form: HTMLFormElement | null, field: Place | undefined) {
  if (!field) return;
  const target = field === "signature" ? "input:checked" : `[name=${field}]`;
  const input = form?.querySelector<HTMLInputElement>(target);
  input?.focus();
  input?.closest(".field, .signature, .consent")?.scrollIntoView({ block: "center" });
}

type FieldProps = {
  label: string;
  name: "name" | "email";
  type?: string;
  value: string;
  problemId: string | undefined;
  onValue: (value: string) => void;
};

function Field({ label, name, type = "text", value, problemId, onValue }: FieldProps) {
  return (
    <label className="field">
      <span>{label}</span>
      <input
        name={name}
        type={type}
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
