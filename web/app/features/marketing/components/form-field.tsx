import { CircleAlert } from "lucide-react";
import { Input, Textarea } from "~/ui/input";

type Props = {
  name: string;
  label: string;
  maxLength: number;
  hint?: string;
  type?: "text" | "email" | "tel";
  autoComplete?: string;
  required?: boolean;
  rows?: number;
};

/**
 * The form works without JavaScript: the server (cairn/pages/form.py) replaces `__VALUE_name__` with the entered value,
 * `__ERROR_name__` with the error, and `data-field` with the attributes that mark an invalid field and give it the focus.
 */
export function FormField({ name, label, hint, rows, required, ...rest }: Props) {
  const control = {
    id: name,
    name,
    required,
    defaultValue: `__VALUE_${name}__`,
    "aria-describedby": `${name}-error${hint ? ` ${name}-hint` : ""}`,
    "data-field": name,
    ...rest,
  };
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={name} className="font-medium">
        {label}
        {!required && <span className="font-normal text-muted"> (optional)</span>}
      </label>
      {hint && (
        <p id={`${name}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      {rows ? <Textarea rows={rows} {...control} /> : <Input {...control} />}
      <p id={`${name}-error`} className="text-sm font-medium text-red-text empty:hidden">
        {`__ERROR_${name}__`}
      </p>
    </div>
  );
}

/** Shows the error of the whole form. It is hidden until the server fills it in. */
export function FormProblem() {
  return (
    <div
      role="alert"
      tabIndex={-1}
      data-field="form"
      className="flex gap-3 rounded-card border border-red/30 bg-red-soft px-4 py-3 text-red-text has-[p:empty]:hidden"
    >
      <CircleAlert className="mt-0.5 size-5 shrink-0" aria-hidden />
      <p>{`__ERROR_form__`}</p>
    </div>
  );
}

/** This field is invisible to people, so only a bot fills it in. */
export function Honeypot() {
  return (
    <div aria-hidden className="absolute -start-[9999px]">
      <label htmlFor="website">Leave this empty</label>
      <input id="website" name="website" tabIndex={-1} autoComplete="off" />
    </div>
  );
}
