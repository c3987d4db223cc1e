import { useEffect, useId, useRef, useState, type FormEvent, type ReactNode } from "react";
import { isSignature, type Ink } from "./ink";
import { INCOMPLETE_EMAIL, REQUIRED, isCompleteEmail, missing, type Needed } from "./model";
import { SignaturePad } from "./signature-pad";
import "./signing-form.css";
import { image } from "./surface";

export const PAD = { width: 600, height: 200 };

export type Draft = { name: string; email: string; ink: Ink };
export type Signed = { name: string; email: string; signature: string };

type Props = {
  draft: Draft;
  onDraft: (draft: Draft) => void;
  onSign: (signed: Signed) => void;
  /** Being sent, or kept until it can be: what was signed must not change any more. */
  locked: boolean;
  /** Why the last attempt did not succeed. */
  problem: string;
  /** Something to know while the button is out of reach. */
  aside?: ReactNode;
  /** What is being signed. Inside the form, so that the button can stay in sight while it is read. */
  children: ReactNode;
};

type Wrong = { fields: Needed[]; text: string };

const NOTHING_WRONG: Wrong = { fields: [], text: "" };

/** The words, then name, email, signature and the one button. */
export function SigningForm({ draft, onDraft, onSign, locked, problem, aside, children }: Props) {
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
    const refused = refusal(draft);
    setWrong(refused);
    if (refused.text) return;
    const { name, email, ink } = draft;
    onSign({ name: name.trim(), email: email.trim(), signature: image(ink, PAD) });
  };
  const toldAbout = (field: Needed) => (wrong.fields.includes(field) ? problemId : undefined);

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
      </fieldset>
      <div className="signing-bar">
        <progress
          className="signing-progress"
          aria-label="What is filled in"
          max={3}
          value={3 - missing(answers(draft)).length}
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

function refusal(draft: Draft): Wrong {
  const fields = missing(answers(draft));
  if (fields.length > 0) return { fields, text: REQUIRED };
  if (!isCompleteEmail(draft.email)) return { fields: ["email"], text: INCOMPLETE_EMAIL };
  return NOTHING_WRONG;
}

function answers({ name, email, ink }: Draft) {
  return { name, email, signed: isSignature(ink) };
}

function focus(form: HTMLFormElement | null, field: Needed | undefined) {
  if (!field) return;
  const target = field === "signature" ? "input:checked" : `[name=${field}]`;
  const input = form?.querySelector<HTMLInputElement>(target);
  input?.focus();
  input?.closest(".field, .signature")?.scrollIntoView({ block: "center" });
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
