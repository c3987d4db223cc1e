import { cleanText } from "~/lib/waiver-form/clean-text";
import type { FlagRule, Question } from "~/lib/waiver-form/types";
import { CheckboxField } from "~/ui/checkbox-field";
import { FieldError } from "~/ui/field";
import { InputField } from "~/ui/input-field";
import { choicesOf } from "../conditions";
import { flagKindOf, flagKindsOf, flagKindText, flagText, makeWhen, proposeFlag, withFlag } from "../flags";
import { ChoiceFields } from "./choice-fields";
import { NumberField } from "./number-field";
import { SelectField } from "./select-field";

type ProblemAt = (field: string) => string | undefined;
type Props = { question: Question; problemAt: ProblemAt; onChange: (question: Question) => void };

/** Sets which answers are flagged for staff, and the text that staff see. */
export function FlagFields({ question, problemAt, onChange }: Props) {
  const { flag } = question;
  const set = (next: FlagRule | null) => onChange(withFlag(question, next));
  return (
    <fieldset className="rounded-control border border-line px-4 pt-1 pb-3">
      <legend className="sr-only">Flag for staff</legend>
      <CheckboxField
        checked={flag !== undefined}
        onChange={({ target }) => set(target.checked ? proposeFlag(question) : null)}
      >
        Flag an answer for staff
      </CheckboxField>
      {flag && (
        <div className="flex flex-col gap-3">
          <div className="grid gap-3 sm:grid-cols-2">
            <InputField
              label="What staff see"
              dir="auto"
              value={flag.text}
              error={problemAt("flag-text")}
              onChange={({ target }) => set({ ...flag, text: cleanText(target.value) })}
            />
            <WhenFields question={question} flag={flag} problemAt={problemAt} onChange={set} />
          </div>
          {flag.text.trim() && (
            <p dir="auto" className="text-sm text-muted">
              {flagText(question, flag)}
            </p>
          )}
        </div>
      )}
    </fieldset>
  );
}

type WhenProps = {
  question: Question;
  flag: FlagRule;
  problemAt: ProblemAt;
  onChange: (flag: FlagRule) => void;
};

function WhenFields({ question, flag, problemAt, onChange }: WhenProps) {
  const current = flagKindOf(flag);
  const kinds = [...new Set([...flagKindsOf(question), current])];
  const { when } = flag;
  return (
    <div className="flex flex-col gap-3">
      <SelectField
        label="When"
        choices={kinds.map((value) => ({ value, label: flagKindText(question, value) }))}
        value={current}
        onChange={(kind) => onChange({ ...flag, when: makeWhen(question, kind) })}
      />
      {typeof when === "object" && "age_below" in when && (
        <NumberField
          label="Age"
          value={when.age_below}
          error={problemAt("flag")}
          onChange={(age) => onChange({ ...flag, when: { age_below: age ?? 0 } })}
        />
      )}
      {typeof when === "object" && "one_of" in when && (
        <>
          <ChoiceFields
            choices={choicesOf(question)}
            values={when.one_of}
            allowsSeveral
            onChange={(values) => onChange({ ...flag, when: { one_of: values } })}
          />
          {problemAt("flag") && <FieldError>{problemAt("flag")}</FieldError>}
        </>
      )}
    </div>
  );
}
