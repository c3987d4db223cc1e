import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { useNavigate } from "react-router";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { Dialog, DialogActions } from "~/ui/dialog";
import { Field, FieldError } from "~/ui/field";
import { Input, Textarea } from "~/ui/input";
import { toast } from "~/ui/toast-store";
import { useSendWaiver } from "../api/send-waiver";
import { INCOMPLETE, isComplete, outcomeToast, type Recipient, type Sendable } from "../model";

type Props = { template: Sendable; onClose: () => void };

export default function SendWaiverDialog({ template, onClose }: Props) {
  const {
    register,
    handleSubmit,
    setFocus,
    control: form,
  } = useForm<Recipient>({
    defaultValues: { firstName: "", lastName: "", email: "", message: "", asPdf: false },
  });
  const asPdf = useWatch({ control: form, name: "asPdf" });
  const [problem, setProblem] = useState(false);
  const send = useSendWaiver();
  const navigate = useNavigate();

  const submit = handleSubmit(async (recipient) => {
    setProblem(!isComplete(recipient));
    if (!isComplete(recipient)) {
      setFocus(
        (["firstName", "lastName", "email"] as const).find((name) => !recipient[name].trim()) ?? "email",
      );
      return;
    }
    const outcome = await send.mutateAsync({ template, recipient });
    toast(outcomeToast(outcome, recipient.asPdf));
    await navigate(paths.afterSending, { state: { email: outcome } });
  });

  return (
    <Dialog open onClose={onClose} title="Send Waiver" description={template.name}>
      <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-5">
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label="First Name" required>
            {(control) => (
              <Input {...control} {...register("firstName")} required autoComplete="off" dir="auto" />
            )}
          </Field>
          <Field label="Last Name" required>
            {(control) => (
              <Input {...control} {...register("lastName")} required autoComplete="off" dir="auto" />
            )}
          </Field>
        </div>
        <Field label="Recipient Email" required>
          {(control) => (
            <Input
              {...control}
              {...register("email")}
              required
              type="email"
              inputMode="email"
              autoComplete="off"
            />
          )}
        </Field>
        <Field label="Email Message" hint="Optional. Stands in the email, above the link.">
          {(control) => (
            <Textarea {...control} {...register("message")} rows={3} maxLength={5000} dir="auto" />
          )}
        </Field>
        <label className="flex min-h-11 items-center gap-3">
          <input type="checkbox" {...register("asPdf")} className="size-5 accent-forest" />
          Send as interactive PDF (recipient can fill and sign)
        </label>
        {problem && <FieldError>{INCOMPLETE}</FieldError>}
        <DialogActions>
          <Button variant="secondary" onClick={onClose} disabled={send.isPending}>
            Cancel
          </Button>
          <Button type="submit" busy={send.isPending}>
            {send.isPending ? "Sending" : asPdf ? "Send PDF" : "Send Waiver"}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
