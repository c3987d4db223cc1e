import { zodResolver } from "@hookform/resolvers/zod";
import { useEffect, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { FunctionFailed } from "~/lib/functions";
import { Button } from "~/ui/button";
import { FieldError } from "~/ui/field";
import { InputField, TextareaField } from "~/ui/input-field";
import { useSendSupportMessage, type Receipt } from "../api/send-support-message";
import { isField, supportMessageSchema, type SupportMessage } from "../model";
import { deleteUnsentMessage, saveUnsentMessage, readUnsentMessage } from "../unsent-message";

type Props = { from: string; onSent: (receipt: Receipt) => void };

/** The signed-in user is the sender. Until it is sent, the text is kept in this tab, even if the page is left or reloaded. */
export function SupportForm({ from, onSent }: Props) {
  const [unsentMessage] = useState(readUnsentMessage);
  const { register, handleSubmit, control, formState, setError } = useForm<SupportMessage>({
    defaultValues: unsentMessage,
    resolver: zodResolver(supportMessageSchema),
  });
  const { errors } = formState;
  const { subject = "", message = "", waiver = "" } = useWatch({ control });
  useEffect(() => saveUnsentMessage({ subject, message, waiver }), [subject, message, waiver]);
  const sendMessage = useSendSupportMessage();
  const send = handleSubmit((values) =>
    sendMessage.mutate(values, {
      onSuccess: (receipt) => {
        deleteUnsentMessage();
        onSent(receipt);
      },
      onError: (error) => {
        const { field, reason } = error instanceof FunctionFailed ? error.parameters : {};
        if (isField(field)) setError(field, { message: reason ?? error.message }, { shouldFocus: true });
      },
    }),
  );
  const isFieldError =
    sendMessage.error instanceof FunctionFailed && isField(sendMessage.error.parameters.field);

  return (
    <form noValidate onSubmit={(event) => void send(event)} className="flex flex-col gap-5">
      <p className="text-muted">
        You are writing as <span dir="auto">{from}</span>.
      </p>
      <InputField
        label="Subject"
        required
        error={errors.subject?.message}
        {...register("subject")}
        maxLength={200}
      />
      <TextareaField
        label="Message"
        required
        error={errors.message?.message}
        hint="Tell us what you did, what you expected and what happened instead. Please include no passwords."
        {...register("message")}
        rows={7}
        maxLength={5000}
        dir="auto"
      />
      <InputField
        label="Waiver id"
        error={errors.waiver?.message}
        hint="Only if your message is about one waiver, which shows its id as “Session”. The first eight characters are enough."
        {...register("waiver")}
        maxLength={36}
        autoComplete="off"
        spellCheck={false}
        className="max-w-96 font-mono"
      />
      {sendMessage.isError && !isFieldError && (
        <FieldError>
          Your message was not sent: {sendMessage.error.message} What you wrote is still here.
        </FieldError>
      )}
      <div>
        <Button type="submit" busy={sendMessage.isPending}>
          Send message
        </Button>
      </div>
    </form>
  );
}
