import { useId } from "react";
import type { Answer, Fields, Question } from "../../../lib/waiver-form/types";
import { FormField, type FieldProps } from "./form-field";
import { PhotoInput } from "./photo-input";

type Props = {
  question: Question;
  answer: Answer;
  onAnswer: (answer: Answer) => void;
  problem: string | undefined;
  today: string;
  /** Browsers may fill in what they know about the signer, but not about a child. */
  isSigner: boolean;
};

/** Shows a question of any kind. */
export function QuestionField(props: Props) {
  const { question, answer, onAnswer, problem } = props;
  const { key, kind, label, help, required = false } = question;
  if (kind === "heading") return <h3 dir="auto">{label}</h3>;
  if (kind === "paragraph")
    return (
      <p className="form-paragraph" dir="auto">
        {label}
      </p>
    );
  const field = { field: `question-${key}`, label, help, isOptional: !required, problem };
  if (kind === "agreement")
    return (
      <FormField {...field} isGroup label={label} isOptional={!required}>
        {(fieldProps) => (
          <Choice
            type="checkbox"
            label="I agree"
            isChosen={answer === true}
            onChoose={(isChosen) => onAnswer(isChosen)}
            fieldProps={fieldProps}
          />
        )}
      </FormField>
    );
  if (kind === "yes_no" || kind === "one_of" || kind === "several_of")
    return (
      <FormField {...field} isGroup>
        {(fieldProps) => (
          <Choices question={question} answer={answer} onAnswer={onAnswer} fieldProps={fieldProps} />
        )}
      </FormField>
    );
  if (kind === "address" || kind === "emergency_contact")
    return (
      <FormField {...field} isGroup>
        {(fieldProps) => <SeveralInputs {...props} fieldProps={fieldProps} />}
      </FormField>
    );
  if (kind === "photo")
    return (
      <FormField {...field} isGroup>
        {(fieldProps) => (
          <PhotoInput
            label={label}
            photo={typeof answer === "string" ? answer : ""}
            onPhoto={onAnswer}
            fieldProps={fieldProps}
          />
        )}
      </FormField>
    );
  return (
    <FormField {...field}>{(fieldProps) => <SingleInput {...props} fieldProps={fieldProps} />}</FormField>
  );
}

type InputProps = Props & { fieldProps: FieldProps };

const INPUT_TYPES: Partial<Record<Question["kind"], string>> = {
  email: "email",
  phone: "tel",
  date: "date",
  birth_date: "date",
};
const AUTOCOMPLETE: Partial<Record<Question["kind"], string>> = {
  email: "email",
  phone: "tel",
  birth_date: "bday",
};

function SingleInput({ question, answer, onAnswer, today, isSigner, fieldProps }: InputProps) {
  const { kind, required = false } = question;
  const shared = {
    ...fieldProps,
    value: typeof answer === "string" || typeof answer === "number" ? String(answer) : "",
    "aria-required": required,
  };
  if (kind === "long_text")
    return (
      <textarea
        {...shared}
        dir="auto"
        rows={4}
        maxLength={4000}
        onChange={(event) => onAnswer(event.target.value)}
      />
    );
  return (
    <input
      {...shared}
      type={INPUT_TYPES[kind] ?? "text"}
      inputMode={kind === "number" ? "decimal" : undefined}
      dir="auto"
      max={kind === "birth_date" ? today : undefined}
      maxLength={kind === "initials" ? 10 : 500}
      autoComplete={(isSigner && AUTOCOMPLETE[kind]) || "off"}
      onChange={(event) => onAnswer(event.target.value)}
    />
  );
}

type ChoicesProps = Pick<Props, "question" | "answer" | "onAnswer"> & { fieldProps: FieldProps };

function Choices({ question: { kind, options = [] }, answer, onAnswer, fieldProps }: ChoicesProps) {
  const group = useId();
  const chosen = Array.isArray(answer) ? answer : [];
  if (kind === "yes_no")
    return (
      <div className="choices choices-short">
        {[true, false].map((value) => (
          <Choice
            key={String(value)}
            type="radio"
            name={group}
            label={value ? "Yes" : "No"}
            isChosen={answer === value}
            onChoose={() => onAnswer(value)}
            fieldProps={fieldProps}
          />
        ))}
      </div>
    );
  return (
    <div className="choices">
      {options.map(({ value, label }) => (
        <Choice
          key={value}
          type={kind === "one_of" ? "radio" : "checkbox"}
          name={group}
          label={label}
          isChosen={kind === "one_of" ? answer === value : chosen.includes(value)}
          onChoose={(isChosen) =>
            onAnswer(
              kind === "one_of"
                ? value
                : withChoice(
                    options.map((o) => o.value),
                    chosen,
                    value,
                    isChosen,
                  ),
            )
          }
          fieldProps={fieldProps}
        />
      ))}
    </div>
  );
}

/** Keeps the order of the options. */
function withChoice(options: string[], chosen: string[], value: string, isChosen: boolean): string[] {
  return options.filter((option) => (option === value ? isChosen : chosen.includes(option)));
}

type ChoiceProps = {
  type: "radio" | "checkbox";
  name?: string;
  label: string;
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
  fieldProps: FieldProps;
};

function Choice({ type, name, label, isChosen, onChoose, fieldProps }: ChoiceProps) {
  return (
    <label className="choice">
      <input
        type={type}
        name={name}
        checked={isChosen}
        aria-describedby={fieldProps["aria-describedby"]}
        // A radio button cannot be invalid on its own, only its group.
        aria-invalid={type === "checkbox" && fieldProps["aria-invalid"] ? true : undefined}
        onChange={(event) => onChoose(event.target.checked)}
      />
      <span dir="auto">{label}</span>
    </label>
  );
}

type Part = { name: string; label: string; type?: string; autoComplete: string; isRequired?: boolean };

const PARTS: Partial<Record<Question["kind"], Part[]>> = {
  address: [
    { name: "street", label: "Street", autoComplete: "street-address", isRequired: true },
    { name: "postal_code", label: "Postal code", autoComplete: "postal-code" },
    { name: "city", label: "City", autoComplete: "address-level2", isRequired: true },
    { name: "region", label: "State or region", autoComplete: "address-level1" },
    { name: "country", label: "Country", autoComplete: "country-name" },
  ],
  // Autocomplete is off, because a browser would fill in the signer's own name and number.
  emergency_contact: [
    { name: "name", label: "Name", autoComplete: "off", isRequired: true },
    { name: "phone", label: "Phone", type: "tel", autoComplete: "off", isRequired: true },
    { name: "relationship", label: "Relationship", autoComplete: "off" },
  ],
};

function SeveralInputs({ question, answer, onAnswer, isSigner, fieldProps }: InputProps) {
  const fields: Fields = typeof answer === "object" && answer && !Array.isArray(answer) ? answer : {};
  return (
    <div className="form-parts">
      {PARTS[question.kind]?.map(({ name, label, type = "text", autoComplete, isRequired = false }) => (
        <label className="field" key={name}>
          <span>
            {label}
            {!isRequired && <small> (optional)</small>}
          </span>
          <input
            type={type}
            value={fields[name] ?? ""}
            dir="auto"
            maxLength={200}
            autoComplete={isSigner ? autoComplete : "off"}
            aria-required={isRequired && question.required ? true : undefined}
            aria-invalid={fieldProps["aria-invalid"] && isRequired && !fields[name]?.trim()}
            aria-describedby={fieldProps["aria-describedby"]}
            onChange={(event) => onAnswer({ ...fields, [name]: event.target.value })}
          />
        </label>
      ))}
    </div>
  );
}
