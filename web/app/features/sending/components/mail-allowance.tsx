import type { MailAllowance } from "../api/mail-allowance";
import { allowanceSentence } from "../model";

/** Says how many emails can still be sent today. */
export function MailAllowanceLine({ allowance }: { allowance: MailAllowance | undefined }) {
  const sentence = allowance && allowanceSentence(allowance);
  return sentence ? <p className="text-sm text-muted">{sentence}</p> : null;
}
