import type { UseFormRegister } from "react-hook-form";
import { useIsTextingOffered } from "~/lib/texting";
import { Field } from "~/ui/field";
import { Input } from "~/ui/input";
import type { Recipient } from "../model";

type Props = { register: UseFormRegister<Recipient>; errorProps: object | undefined };

/** The field is hidden if the server has no SMS gateway. */
export function PhoneField({ register, errorProps }: Props) {
  const isOffered = useIsTextingOffered();
  if (!isOffered) return null;
  return (
    <Field
      label="Mobile Number"
      hint="Optional, with the country: +1 212 555 0123. The link then also goes there as a text message."
    >
      {(control) => (
        <Input
          {...control}
          {...register("phone")}
          {...errorProps}
          type="tel"
          inputMode="tel"
          maxLength={40}
          autoComplete="off"
        />
      )}
    </Field>
  );
}
