import { isEmailAddress } from "~/lib/email-address";
import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { useNavigate } from "react-router";
import { isUnreachable } from "~/lib/connection";
import { paths } from "~/paths";
import { useSendWaiver } from "./api/send-waiver";
import { showOutcome } from "./api/show-outcome";
import {
  MISSING_FIELDS,
  INVALID_EMAIL,
  type Recipient,
  type SendableTemplate,
  NOT_SENT_OFFLINE,
} from "./model";
import { isPhoneNumber, INVALID_PHONE } from "./phone";

/** Validates the recipient, sends the waiver, shows the outcome and opens the next page. Both send dialogs use it. */
export function useSendForm(template: SendableTemplate, asPdf: boolean) {
  const { register, handleSubmit, setFocus, setError, formState, control } = useForm<Recipient>({
    defaultValues: { firstName: "", lastName: "", email: "", phone: "", message: "", asPdf },
  });
  const [problem, setProblem] = useState("");
  const send = useSendWaiver();
  const navigate = useNavigate();

  const submit = handleSubmit(async (recipient) => {
    const { fields, text } = validate(recipient);
    setProblem(text);
    for (const field of fields) setError(field, { message: text });
    if (fields[0]) return setFocus(fields[0]);
    if (isUnreachable()) return setProblem(NOT_SENT_OFFLINE);
    const outcome = await send.mutateAsync({ template, recipient });
    showOutcome(outcome, recipient.asPdf);
    await navigate(paths.afterSending, { state: { email: outcome } });
  });
  return {
    register,
    submit,
    problem,
    errors: formState.errors,
    isSending: send.isPending,
    asPdf: useWatch({ control, name: "asPdf" }),
  };
}

type FieldName = "firstName" | "lastName" | "email" | "phone";

/** Returns the invalid fields in the order in which the dialog shows them, and the message about them. */
function validate(recipient: Recipient): { fields: FieldName[]; text: string } {
  const empty = (["firstName", "lastName", "email"] as const).filter((name) => !recipient[name].trim());
  if (empty.length > 0) return { fields: empty, text: MISSING_FIELDS };
  if (!isEmailAddress(recipient.email)) return { fields: ["email"], text: INVALID_EMAIL };
  const isInvalid = recipient.phone?.trim() && !isPhoneNumber(recipient.phone);
  return isInvalid ? { fields: ["phone"], text: INVALID_PHONE } : { fields: [], text: "" };
}
