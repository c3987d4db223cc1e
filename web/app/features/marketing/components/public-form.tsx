import type { ReactNode } from "react";
import { Link } from "react-router";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { FormField, FormProblem, Honeypot } from "./form-field";

type Props = {
  /** The form is posted to this path. */
  action: string;
  submitLabel: string;
  emailHint?: string;
  className: string;
  children: ReactNode;
};

/** The form works without a script. It has fields for name and email, which the server requires, and `children`. */
export function PublicForm({ action, submitLabel, emailHint, className, children }: Props) {
  return (
    <form method="post" action={action} className={`relative grid gap-5 ${className}`}>
      <FormProblem />
      <FormField name="name" label="Your name" autoComplete="name" maxLength={200} required />
      <FormField
        name="email"
        label="Your email"
        {...(emailHint && { hint: emailHint })}
        type="email"
        autoComplete="email"
        maxLength={320}
        required
      />
      {children}
      <Honeypot />
      <Button type="submit" size="lg" className="justify-self-start">
        {submitLabel}
      </Button>
      <p className="text-sm text-muted">
        See the{" "}
        <Link to={paths.privacy} className="underline underline-offset-4">
          privacy page
        </Link>{" "}
        for what we keep of it.
      </p>
    </form>
  );
}
