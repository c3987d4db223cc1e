import type { ComponentProps } from "react";
import { authClient } from "~/lib/auth";
import { Input } from "~/ui/input";

/** Loads the auth client when the user enters the field, so that the page itself stays small. */
export function EmailInput(props: ComponentProps<typeof Input>) {
  return (
    <Input
      {...props}
      name="email"
      type="email"
      autoComplete="email"
      inputMode="email"
      onFocus={() => void authClient()}
    />
  );
}
