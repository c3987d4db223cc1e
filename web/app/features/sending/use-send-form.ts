import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { useNavigate } from "react-router";
import { isUnreachable } from "~/lib/reach";
import { paths } from "~/paths";
import { useSendWaiver } from "./api/send-waiver";
import { tellOutcome } from "./api/tell-outcome";
import { INCOMPLETE, isAddress, NO_ADDRESS, type Recipient, type Sendable, UNSENT } from "./model";
import { isNumber, NO_NUMBER } from "./phone";

/** What both send dialogs do: ask for a recipient, send, say how it went and go on. */
export function useSendForm(template: Sendable, asPdf: boolean) {
  const { register, handleSubmit, setFocus, setError, formState, control } = useForm<Recipient>({
    defaultValues: { firstName: "", lastName: "", email: "", phone: "", message: "", asPdf },
  });
  const [problem, setProblem] = useState("");
  const send = useSendWaiver();
  const navigate = useNavigate();

  const submit = handleSubmit(async (recipient) => {
    const { fields, text } = refusal(recipient);
    setProblem(text);
    for (const field of fields) setError(field, { message: text });
    if (fields[0]) return setFocus(fields[0]);
    if (isUnreachable()) return setProblem(UNSENT);
    const outcome = await send.mutateAsync({ template, recipient });
    tellOutcome(outcome, recipient.asPdf);
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

type Place = "firstName" | "lastName" | "email" | "phone";

/** Which fields, the first of them first, and what is wrong with them. */
function refusal(recipient: Recipient): { fields: Place[]; text: string } {
  const empty = (["firstName", "lastName", "email"] as const).filter((name) => !recipient[name].trim());
  if (empty.length > 0) return { fields: empty, text: INCOMPLETE };
  if (!isAddress(recipient.email)) return { fields: ["email"], text: NO_ADDRESS };
  const isWrong = recipient.phone?.trim() && !isNumber(recipient.phone);
  return isWrong ? { fields: ["phone"], text: NO_NUMBER } : { fields: [], text: "" };
}
