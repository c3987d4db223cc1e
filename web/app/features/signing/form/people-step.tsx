import { useLayoutEffect, useId, useRef, type ReactNode } from "react";
import { ageOn, isBirthDate, mostMinors } from "../../../lib/waiver-form/ages";
import { coversSigner } from "../../../lib/waiver-form/check-answers";
import { addMinor, changeMinor, removeMinor, type MinorDraft } from "./form-draft";
import { FormField } from "./form-field";
import type { StepProps } from "./step-props";

const RELATIONSHIPS = ["Mother", "Father", "Grandparent", "Legal guardian"];

/** Asks who signs, and for which children. */
export function PeopleStep({
  form,
  draft,
  onDraft,
  formDraft,
  onFormDraft,
  problems,
  today,
  invitations,
}: StepProps & { invitations: ReactNode }) {
  const { minors } = formDraft;
  const list = useRef<HTMLDivElement>(null);
  const shownCount = useRef(minors.length);
  // The name field of a new child gets the focus, so that adding a child takes only a few seconds.
  useLayoutEffect(() => {
    if (minors.length > shownCount.current)
      list.current?.querySelector<HTMLInputElement>(":scope > :last-of-type input")?.focus();
    shownCount.current = minors.length;
  }, [minors.length]);
  const suggestions = useId();
  const most = mostMinors(form);
  return (
    <>
      <div className="form-pair">
        {(["name", "email"] as const).map((name) => (
          <FormField
            key={name}
            field={name}
            label={name === "name" ? "Your Name" : "Your Email"}
            problem={problems[name]}
          >
            {(fieldProps) => (
              <input
                {...fieldProps}
                type={name === "email" ? "email" : "text"}
                value={draft[name]}
                dir="auto"
                autoComplete={name}
                maxLength={name === "name" ? 400 : 320}
                aria-required="true"
                onChange={(event) => onDraft({ ...draft, [name]: event.target.value })}
              />
            )}
          </FormField>
        ))}
      </div>
      {most > 0 && (
        <>
          <p className="form-paragraph">
            {coversSigner(form)
              ? "You sign for yourself. If children take part with you, add each of them: your signature covers them too."
              : "You sign for the children below. You do not take part yourself."}
          </p>
          <div className="minors" ref={list}>
            {minors.map((minor, position) => (
              <MinorFields
                // The position can be the key, because the fields of a child keep no state of their own.
                key={position}
                number={position + 1}
                field={`minor-${position}`}
                minor={minor}
                onMinor={(changes) => onFormDraft(changeMinor(formDraft, position, changes))}
                onRemove={() => onFormDraft(removeMinor(formDraft, position))}
                problems={problems}
                today={today}
              />
            ))}
          </div>
          {invitations}
          <div className="form-field" data-field="minors">
            {minors.length < most && (
              <button type="button" className="secondary" onClick={() => onFormDraft(addMinor(formDraft))}>
                {minors.length === 0 ? "Add a child" : "Add another child"}
              </button>
            )}
            {problems.minors && <p className="field-problem">{problems.minors}</p>}
          </div>
        </>
      )}
      {minors.length > 0 && (
        <>
          <FormField
            field="relationship"
            label="How are you related to the children?"
            problem={problems.relationship}
          >
            {(fieldProps) => (
              <input
                {...fieldProps}
                value={formDraft.relationship}
                list={suggestions}
                dir="auto"
                maxLength={100}
                autoComplete="off"
                aria-required="true"
                onChange={(event) => onFormDraft({ ...formDraft, relationship: event.target.value })}
              />
            )}
          </FormField>
          <datalist id={suggestions}>
            {RELATIONSHIPS.map((relationship) => (
              <option key={relationship}>{relationship}</option>
            ))}
          </datalist>
          <div className="form-field" data-field="authority">
            <label className="consent">
              <input
                type="checkbox"
                checked={formDraft.hasAuthority}
                aria-required="true"
                aria-invalid={problems.authority !== undefined}
                aria-describedby={problems.authority && `${suggestions}-authority`}
                onChange={(event) => onFormDraft({ ...formDraft, hasAuthority: event.target.checked })}
              />
              <span>I am their parent or legal guardian, and I may sign for them.</span>
            </label>
            {problems.authority && (
              <p className="field-problem" id={`${suggestions}-authority`}>
                {problems.authority}
              </p>
            )}
          </div>
        </>
      )}
    </>
  );
}

type MinorProps = {
  number: number;
  field: string;
  minor: MinorDraft;
  onMinor: (changes: Partial<MinorDraft>) => void;
  onRemove: () => void;
  problems: StepProps["problems"];
  today: string;
};

function MinorFields({ number, field, minor, onMinor, onRemove, problems, today }: MinorProps) {
  const age = isBirthDate(minor.birthDate, today) ? ageOn(today, minor.birthDate) : null;
  return (
    <fieldset className="minor">
      <legend>Child {number}</legend>
      <div className="form-pair">
        <FormField field={`${field}-name`} label="Full name" problem={problems[`${field}-name`]}>
          {(fieldProps) => (
            <input
              {...fieldProps}
              value={minor.name}
              dir="auto"
              maxLength={400}
              autoComplete="off"
              aria-required="true"
              onChange={(event) => onMinor({ name: event.target.value })}
            />
          )}
        </FormField>
        <FormField field={`${field}-birth_date`} label="Birth date" problem={problems[`${field}-birth_date`]}>
          {(fieldProps) => (
            <input
              {...fieldProps}
              type="date"
              value={minor.birthDate}
              max={today}
              autoComplete="off"
              aria-required="true"
              onChange={(event) => onMinor({ birthDate: event.target.value })}
            />
          )}
        </FormField>
      </div>
      <div className="minor-end">
        <output>{age === null ? "" : age === 1 ? "1 year old" : `${age} years old`}</output>
        <button type="button" className="quiet" onClick={onRemove} aria-label={`Remove child ${number}`}>
          Remove
        </button>
      </div>
    </fieldset>
  );
}
