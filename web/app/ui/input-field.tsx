import type { ComponentProps } from "react";
import { Field } from "./field";
import { Input, Textarea } from "./input";

type FieldProps = Pick<ComponentProps<typeof Field>, "label" | "hint" | "error" | "required">;

/** Shows an input with its label. For other controls use `Field`. */
export function InputField({
  label,
  hint,
  error,
  required,
  ...input
}: FieldProps & ComponentProps<typeof Input>) {
  return (
    <Field label={label} hint={hint} error={error} {...(required && { required })}>
      {(control) => <Input {...control} {...input} />}
    </Field>
  );
}

export function TextareaField({
  label,
  hint,
  error,
  required,
  ...textarea
}: FieldProps & ComponentProps<typeof Textarea>) {
  return (
    <Field label={label} hint={hint} error={error} {...(required && { required })}>
      {(control) => <Textarea {...control} {...textarea} />}
    </Field>
  );
}
