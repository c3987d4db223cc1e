import type { ComponentProps } from "react";
import type { FieldErrors, UseFormRegister } from "react-hook-form";
import { Field } from "~/ui/field";
import { Input, Textarea } from "~/ui/input";
import type { Recipient } from "../model";
import { PhoneField } from "./phone-field";
import { PROBLEM_ID } from "./send-problem";

type Props = {
  register: UseFormRegister<Recipient>;
  errors: FieldErrors<Recipient>;
  messageHint: string;
  canAddMessage: boolean;
};

export function RecipientFields({ register, errors, messageHint, canAddMessage }: Props) {
  const errorProps = (name: keyof Recipient) =>
    errors[name] && { "aria-invalid": true, "aria-describedby": PROBLEM_ID };
  const inputProps = (name: keyof Recipient) => ({ ...register(name), ...errorProps(name) });
  return (
    <>
      <div className="grid gap-5 sm:grid-cols-2">
        <RequiredInput label="First Name" maxLength={150} dir="auto" {...inputProps("firstName")} />
        <RequiredInput label="Last Name" maxLength={150} dir="auto" {...inputProps("lastName")} />
      </div>
      <RequiredInput
        label="Recipient Email"
        type="email"
        inputMode="email"
        maxLength={320}
        {...inputProps("email")}
      />
      <PhoneField register={register} errorProps={errorProps("phone")} />
      {canAddMessage && (
        <Field label="Email Message" hint={messageHint}>
          {(control) => (
            <Textarea {...control} {...register("message")} rows={3} maxLength={5000} dir="auto" />
          )}
        </Field>
      )}
    </>
  );
}

function RequiredInput({ label, ...input }: ComponentProps<typeof Input> & { label: string }) {
  return (
    <Field label={label} required>
      {(control) => <Input {...control} required autoComplete="off" {...input} />}
    </Field>
  );
}
