import { storedSession } from "~/lib/stored-session";
import { Field } from "~/ui/field";
import { Input } from "~/ui/input";

type Props = {
  label: string;
  name: string;
  isNew?: boolean;
  error?: string | undefined;
};

/** `isNew` makes password managers suggest a new password instead of filling in the stored one. */
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

/** This hidden input tells password managers to which account a new password belongs. */
export function UsernameInput() {
  const email = storedSession()?.user.email ?? "";
  return <input hidden readOnly name="username" autoComplete="username" value={email} />;
}
