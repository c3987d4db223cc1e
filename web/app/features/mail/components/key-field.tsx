import type { ComponentProps } from "react";
import { InputField } from "~/ui/input-field";

type Props = Pick<ComponentProps<typeof InputField>, "label" | "error" | "required"> & {
  /** If a key is saved, the field may stay empty. */
  hasKey: boolean;
  registration: Pick<ComponentProps<typeof InputField>, "name" | "onBlur" | "onChange" | "ref">;
};

/** Renders the field for a key, which the server stores encrypted and never returns. */
export function KeyField({ hasKey, registration, ...field }: Props) {
  return (
    <InputField
      {...field}
      hint={
        hasKey
          ? "A key is saved. Leave this empty to keep it."
          : "It is encrypted on the server and never shown again."
      }
      {...registration}
      type="password"
      autoComplete="off"
      placeholder={hasKey ? "••••••••••••" : undefined}
    />
  );
}
