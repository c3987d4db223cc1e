import { useLayoutEffect, useRef } from "react";
import { takesAnswer } from "~/lib/waiver-form/check-answers";
import { cleanText } from "~/lib/waiver-form/clean-text";
import type { Form, Question } from "~/lib/waiver-form/types";
import { CheckboxField } from "~/ui/checkbox-field";
import { Field, FieldError } from "~/ui/field";
import { Input, Textarea } from "~/ui/input";
import type { CardActions } from "../card-actions";
import type { Item } from "../edited-form";
import { withoutFields } from "../fields";
import { audienceOf, AUDIENCE_CHOICES, hasOptions, KIND_NAMES } from "../kinds";
import type { Problem } from "../problems";
import { ConditionFields } from "./condition-fields";
import { FlagFields } from "./flag-fields";
import { NumberField } from "./number-field";
import { OptionFields } from "./option-fields";
import { SelectField } from "./select-field";

type Props = {
  item: Item;
  position: number;
  form: Form;
  problems: Problem[];
  isNew: boolean;
  actions: CardActions;
};

/** Shows everything that can be changed about one question. */
export function QuestionFields({ item, position, form, problems, isNew, actions }: Props) {
  const { question } = item;
  const change = (changed: Question) => actions.change(item, changed);
  const problemAt = (field: string) => problems.find((problem) => problem.field === field)?.text;
  return (
    <div className="flex flex-col gap-4 border-t border-line p-4">
      {problemAt("question") && <FieldError>{problemAt("question")}</FieldError>}
      <LabelField question={question} isNew={isNew} error={problemAt("label")} onChange={change} />
      <Field label="Explanation" hint="Optional. Guests see it below the question." error={problemAt("help")}>
        {(control) => (
          <Input
            {...control}
            dir="auto"
            value={question.help ?? ""}
            onChange={({ target }) =>
              change(
                target.value
                  ? { ...question, help: cleanText(target.value) }
                  : withoutFields(question, "help"),
              )
            }
          />
        )}
      </Field>
      {hasOptions(question) && <OptionFields item={item} problemAt={problemAt} actions={actions} />}
      {question.kind === "number" && (
        <div className="grid gap-4 sm:grid-cols-2">
          {(["min", "max"] as const).map((field) => (
            <NumberField
              key={field}
              label={field === "min" ? "Lowest number" : "Highest number"}
              hint="Optional."
              value={question[field]}
              error={problemAt(field)}
              onChange={(value) =>
                change(value === null ? withoutFields(question, field) : { ...question, [field]: value })
              }
            />
          ))}
        </div>
      )}
      <AnswerRules question={question} onChange={change} />
      <ConditionFields
        question={question}
        position={position}
        form={form}
        error={problemAt("show_if")}
        onChange={change}
      />
      {takesAnswer(question) && <FlagFields question={question} problemAt={problemAt} onChange={change} />}
    </div>
  );
}

type FieldProps = { question: Question; onChange: (question: Question) => void };

function LabelField({
  question,
  isNew,
  error,
  onChange,
}: FieldProps & { isNew: boolean; error: string | undefined }) {
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    if (isNew) field.current?.focus();
  }, [isNew]);
  const Control = question.kind === "paragraph" ? Textarea : Input;
  return (
    <Field label={takesAnswer(question) ? "Question" : "Text"} hint={KIND_NAMES[question.kind]} error={error}>
      {(control) => (
        <Control
          {...control}
          ref={field}
          dir="auto"
          value={question.label}
          onChange={({ target }: { target: { value: string } }) =>
            onChange({ ...question, label: cleanText(target.value) })
          }
        />
      )}
    </Field>
  );
}

/** Sets who is asked, whether an answer is required, and whether it is sensitive. */
function AnswerRules({ question, onChange }: FieldProps) {
  const setRule = (rule: "required" | "sensitive", isOn: boolean) =>
    onChange(isOn ? { ...question, [rule]: true } : withoutFields(question, rule));
  return (
    <div className="grid gap-x-8 gap-y-2 sm:grid-cols-2">
      <SelectField
        label={takesAnswer(question) ? "Who is asked" : "Who sees it"}
        choices={AUDIENCE_CHOICES}
        value={audienceOf(question)}
        onChange={(audience) => onChange({ ...question, asked_of: audience })}
      />
      {takesAnswer(question) && (
        <div className="sm:pt-5">
          <CheckboxField
            checked={question.required ?? false}
            onChange={({ target }) => setRule("required", target.checked)}
          >
            An answer is required
          </CheckboxField>
          <CheckboxField
            checked={question.sensitive ?? false}
            onChange={({ target }) => setRule("sensitive", target.checked)}
          >
            Sensitive, such as health: stored separately
          </CheckboxField>
        </div>
      )}
    </div>
  );
}
