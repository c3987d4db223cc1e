import type { Condition, Form, Question, Value } from "~/lib/waiver-form/types";
import { CheckboxField } from "~/ui/checkbox-field";
import { nameOf } from "../changes";
import {
  choicesOf,
  comparedValues,
  comparisonOf,
  comparisonsOf,
  comparisonText,
  conditionText,
  makeCondition,
  possibleDependencies,
  proposeCondition,
  withCondition,
} from "../conditions";
import { ChoiceFields } from "./choice-fields";
import { SelectField } from "./select-field";

type Props = {
  question: Question;
  position: number;
  form: Form;
  error: string | undefined;
  onChange: (question: Question) => void;
};

/** Edits the condition of a question: it is shown only if an earlier question has a certain answer. */
export function ConditionFields({ question, position, form, error, onChange }: Props) {
  const possible = possibleDependencies(form, position);
  const condition = question.show_if;
  const [nearestQuestion] = possible.toReversed();
  if (!condition && !nearestQuestion) return null;
  const set = (next: Condition | null) => onChange(withCondition(question, next));
  return (
    <fieldset className="rounded-control border border-line px-4 pt-1 pb-3">
      <legend className="sr-only">When the question is shown</legend>
      <CheckboxField
        checked={condition !== undefined}
        onChange={({ target }) =>
          set(target.checked && nearestQuestion ? proposeCondition(nearestQuestion) : null)
        }
      >
        Show only after a certain answer
      </CheckboxField>
      {condition && (
        <ConditionParts condition={condition} possible={possible} form={form} error={error} onChange={set} />
      )}
    </fieldset>
  );
}

type PartsProps = {
  condition: Condition;
  possible: Question[];
  form: Form;
  error: string | undefined;
  onChange: (condition: Condition) => void;
};

function ConditionParts({ condition, possible, form, error, onChange }: PartsProps) {
  const earlier = form.questions.find(({ key }) => key === condition.question);
  const offered = !earlier || possible.includes(earlier) ? possible : [...possible, earlier];
  const chooseQuestion = (key: string) => {
    const chosen = offered.find((candidate) => candidate.key === key);
    if (chosen) onChange(proposeCondition(chosen));
  };
  return (
    <div className="flex flex-col gap-3">
      <div className="grid gap-3 lg:grid-cols-[2fr_1fr_1fr]">
        <SelectField
          label="Earlier question"
          placeholder="Choose a question"
          error={error}
          choices={offered.map((candidate) => ({ value: candidate.key, label: nameOf(candidate) }))}
          value={condition.question}
          onChange={chooseQuestion}
        />
        {earlier && <ComparisonFields condition={condition} earlier={earlier} onChange={onChange} />}
      </div>
      {earlier && (
        <p dir="auto" className="text-sm text-muted">
          {conditionText(condition, earlier)}
        </p>
      )}
    </div>
  );
}

type ComparisonProps = {
  condition: Condition;
  earlier: Question;
  onChange: (condition: Condition) => void;
};

function ComparisonFields({ condition, earlier, onChange }: ComparisonProps) {
  const comparison = comparisonOf(condition);
  const comparisons = [...new Set([...comparisonsOf(earlier), comparison])];
  const values = comparedValues(condition);
  const choices = choicesOf(earlier);
  const firstValues = choices.slice(0, 1).map(({ value }) => value);
  const setValues = (next: Value[]) => onChange(makeCondition(earlier.key, comparison, next));
  return (
    <>
      <SelectField
        label="Comparison"
        choices={comparisons.map((value) => ({ value, label: comparisonText(earlier, value) }))}
        value={comparison}
        onChange={(next) =>
          onChange(makeCondition(earlier.key, next, values.length > 0 ? values : firstValues))
        }
      />
      {comparison !== "is_filled" && choices.length > 0 && (
        <ChoiceFields
          choices={choices}
          values={values}
          allowsSeveral={comparison === "is_one_of"}
          onChange={setValues}
        />
      )}
    </>
  );
}
