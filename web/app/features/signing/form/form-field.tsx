import { useId, type ReactNode } from "react";

/** The attributes that connect a field with the message below it. */
export type FieldProps = { "aria-invalid": boolean; "aria-describedby": string | undefined };

type Props = {
  field: string;
  label: string;
  help?: string | undefined;
  isOptional?: boolean;
  problem: string | undefined;
  /** A group of fields needs a fieldset instead of a label. */
  isGroup?: boolean;
  children: (props: FieldProps) => ReactNode;
};

/** Shows a label, the field or fields that it names, and what is wrong with them. */
export function FormField({
  field,
  label,
  help,
  isOptional = false,
  problem,
  isGroup = false,
  children,
}: Props) {
  const id = useId();
  const describedBy = [help && `${id}-help`, problem && `${id}-problem`].filter(Boolean).join(" ");
  const name = (
    <>
      {label}
      {isOptional && <small> (optional)</small>}
    </>
  );
  const content = children({
    "aria-invalid": problem !== undefined,
    "aria-describedby": describedBy || undefined,
  });
  const helpText = help && (
    <p className="field-help" id={`${id}-help`} dir="auto">
      {help}
    </p>
  );
  return (
    <div className="form-field" data-field={field}>
      {isGroup ? (
        <fieldset aria-describedby={describedBy || undefined}>
          <legend dir="auto">{name}</legend>
          {helpText}
          {content}
        </fieldset>
      ) : (
        <>
          <label className="field">
            <span dir="auto">{name}</span>
            {content}
          </label>
          {helpText}
        </>
      )}
      {problem && (
        <p className="field-problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  );
}
