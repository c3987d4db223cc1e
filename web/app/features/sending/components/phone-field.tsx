import type { UseFormRegister } from "react-hook-form";
import { useIsTextingOffered } from "~/lib/texting";
import { Field } from "~/ui/field";
import { Input } from "~/ui/input";
import type { Recipient } from "../model";

type Props = { register: UseFormRegister<Recipient>; marked: object | undefined };

/** Not there where the server has no gateway. */
export function PhoneField({ register, marked }: Props) {
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
          {...marked}
          type="tel"
          inputMode="tel"
          maxLength={40}
          autoComplete="off"
        />
      )}
    </Field>
  );
}
