import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { useNavigate } from "react-router";
import { isAway } from "~/lib/reach";
import { paths } from "~/paths";
import { useSendWaiver } from "./api/send-waiver";
import { tellOutcome } from "./api/tell-outcome";
import {
  INCOMPLETE,
  isAddress,
  isComplete,
  NO_ADDRESS,
  type Recipient,
  type Sendable,
  UNSENT,
} from "./model";
import { isNumber, NO_NUMBER } from "./phone";

/** What both send dialogs do: ask for a recipient, send, say how it went and go on. */
export function useSendForm(template: Sendable, asPdf: boolean) {
  const { register, handleSubmit, setFocus, control } = useForm<Recipient>({
    defaultValues: { firstName: "", lastName: "", email: "", phone: "", message: "", asPdf },
  });
  const [problem, setProblem] = useState("");
  const send = useSendWaiver();
  const navigate = useNavigate();

  const submit = handleSubmit(async (recipient) => {
    const [field, refusal] = refused(recipient) ?? [];
    setProblem(refusal ?? "");
    if (field) return setFocus(field);
    if (isAway()) return setProblem(UNSENT);
    const outcome = await send.mutateAsync({ template, recipient });
    tellOutcome(outcome, recipient.asPdf);
    await navigate(paths.afterSending, { state: { email: outcome } });
  });
  return {
    register,
    submit,
    problem,
    isSending: send.isPending,
    asPdf: useWatch({ control, name: "asPdf" }),
  };
}

type Place = "firstName" | "lastName" | "email" | "phone";

function refused(recipient: Recipient): [Place, string] | null {
  if (!isComplete(recipient)) {
    const empty = (["firstName", "lastName", "email"] as const).find((name) => !recipient[name].trim());
    return [empty ?? "email", INCOMPLETE];
  }
  if (!isAddress(recipient.email)) return ["email", NO_ADDRESS];
  return recipient.phone?.trim() && !isNumber(recipient.phone) ? ["phone", NO_NUMBER] : null;
}
