import type { FieldErrors, UseFormRegister } from "react-hook-form";
import { Field } from "~/ui/field";
import { Input, Textarea } from "~/ui/input";
import type { Recipient } from "../model";
import { PhoneField } from "./phone-field";
import { PROBLEM } from "./send-problem";

type Props = {
  register: UseFormRegister<Recipient>;
  errors: FieldErrors<Recipient>;
  messageHint: string;
};

/** Who is asked, and what is said to them besides. */
export function RecipientFields({ register, errors, messageHint }: Props) {
  const marked = (name: keyof Recipient) =>
    errors[name] && { "aria-invalid": true, "aria-describedby": PROBLEM };
  return (
    <>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="First Name" required>
          {(control) => (
            <Input
              {...control}
              {...register("firstName")}
              {...marked("firstName")}
              required
              maxLength={150}
              autoComplete="off"
              dir="auto"
            />
          )}
        </Field>
        <Field label="Last Name" required>
          {(control) => (
            <Input
              {...control}
              {...register("lastName")}
              {...marked("lastName")}
              required
              maxLength={150}
              autoComplete="off"
              dir="auto"
            />
          )}
        </Field>
      </div>
      <Field label="Recipient Email" required>
        {(control) => (
          <Input
            {...control}
            {...register("email")}
            {...marked("email")}
            required
            type="email"
            inputMode="email"
            maxLength={320}
            autoComplete="off"
          />
        )}
      </Field>
      <PhoneField register={register} marked={marked("phone")} />
      <Field label="Email Message" hint={messageHint}>
        {(control) => <Textarea {...control} {...register("message")} rows={3} maxLength={5000} dir="auto" />}
      </Field>
    </>
  );
}
