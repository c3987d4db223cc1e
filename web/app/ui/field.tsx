import { CircleAlert } from "lucide-react";
import { useId, type ReactNode } from "react";

type Control = { id: string; "aria-describedby"?: string; "aria-invalid"?: true };
type Props = {
  label: string;
  required?: boolean;
  hint?: ReactNode;
  error?: string | undefined;
  children: (control: Control) => ReactNode;
};

/** Shows a control with its label, hint and error, and links them for screen readers. */
export function Field({ label, required, hint, error, children }: Props) {
  const id = useId();
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
        {required && <span aria-hidden>*</span>}
      </label>
      {children({
        id,
        ...(describedBy && { "aria-describedby": describedBy }),
        ...(error && { "aria-invalid": true }),
      })}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  );
}

/** Shows an error. An error without an id belongs to the whole form and is scrolled into view. */
export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p
      id={id}
      ref={id ? undefined : scrollIntoView}
      role="alert"
      className="flex scroll-mb-44 items-start gap-1.5 text-sm font-medium text-red-text"
    >
      <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
      {children}
    </p>
  );
}

function scrollIntoView(message: HTMLElement | null): void {
  message?.scrollIntoView({ block: "nearest" });
}
