import { storedSession } from "~/lib/stored-session";
import { Field } from "~/ui/field";
import { Input } from "~/ui/input";

type Props = {
  label: string;
  name: string;
  isNew?: boolean;
  error?: string | undefined;
};

/** Tells password managers whether to fill in or to make one up. */
export function PasswordInput({ label, name, isNew = false, error }: Props) {
  return (
    <Field label={label} hint={isNew && "At least 8 characters"} error={error}>
      {(control) => (
        <Input
          {...control}
          name={name}
          type="password"
          autoComplete={isNew ? "new-password" : "current-password"}
        />
      )}
    </Field>
  );
}

/** Not for the eye: password managers look for it, to keep a new password under the right account. */
export function WhosePassword() {
  const email = storedSession()?.user.email ?? "";
  return <input hidden readOnly name="username" autoComplete="username" value={email} />;
}
