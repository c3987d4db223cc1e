import { zodResolver } from "@hookform/resolvers/zod";
import { useEffect, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { FunctionFailed } from "~/lib/functions";
import { Button } from "~/ui/button";
import { Field, FieldError } from "~/ui/field";
import { Input, Textarea } from "~/ui/input";
import { useAskSupport, type Receipt } from "../api/ask-support";
import { isField, supportMessage, type SupportMessage } from "../model";
import { forgetUnsent, keepUnsent, unsentMessage } from "../unsent";

type Props = { from: string; onSent: (receipt: Receipt) => void };

/** Who writes is known; what was typed stays until it is with us, also when the page is left or loaded again. */
export function SupportForm({ from, onSent }: Props) {
  const [kept] = useState(unsentMessage);
  const { register, handleSubmit, control, formState, setError } = useForm<SupportMessage>({
    defaultValues: kept,
    resolver: zodResolver(supportMessage),
  });
  const { errors } = formState;
  const { subject = "", message = "", waiver = "" } = useWatch({ control });
  useEffect(() => keepUnsent({ subject, message, waiver }), [subject, message, waiver]);
  const ask = useAskSupport();
  const send = handleSubmit((typed) =>
    ask.mutate(typed, {
      onSuccess: (receipt) => {
        forgetUnsent();
        onSent(receipt);
      },
      onError: (error) => {
        const { field, reason } = error instanceof FunctionFailed ? error.parameters : {};
        if (isField(field)) setError(field, { message: reason ?? error.message }, { shouldFocus: true });
      },
    }),
  );
  const isOfOneField = ask.error instanceof FunctionFailed && isField(ask.error.parameters.field);

  return (
    <form noValidate onSubmit={(event) => void send(event)} className="flex flex-col gap-5">
      <p className="text-muted">
        You write as <span dir="auto">{from}</span>.
      </p>
      <Field label="Subject" required error={errors.subject?.message}>
        {(input) => <Input {...input} {...register("subject")} maxLength={200} />}
      </Field>
      <Field
        label="Message"
        required
        error={errors.message?.message}
        hint="What you did, what you expected and what happened instead. Never a password."
      >
        {(input) => <Textarea {...input} {...register("message")} rows={7} maxLength={5000} dir="auto" />}
      </Field>
      <Field
        label="Waiver id"
        error={errors.waiver?.message}
        hint="If it is about one waiver. It stands in the waiver as Session; its first eight characters are enough."
      >
        {(input) => (
          <Input
            {...input}
            {...register("waiver")}
            maxLength={36}
            autoComplete="off"
            spellCheck={false}
            className="max-w-96 font-mono"
          />
        )}
      </Field>
      {ask.isError && !isOfOneField && (
        <FieldError>Your message was not sent: {ask.error.message} What you wrote is still here.</FieldError>
      )}
      <div>
        <Button type="submit" busy={ask.isPending}>
          Send message
        </Button>
      </div>
    </form>
  );
}
