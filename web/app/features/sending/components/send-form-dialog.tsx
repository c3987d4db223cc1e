import type { ReactNode } from "react";
import { Button } from "~/ui/button";
import { Dialog, DialogActions } from "~/ui/dialog";
import { useMailAllowance } from "../api/mail-allowance";
import type { SendableTemplate } from "../model";
import type { useSendForm } from "../use-send-form";
import { MailAllowanceLine } from "./mail-allowance";
import { RecipientFields } from "./recipient-fields";
import { SendProblem } from "./send-problem";

type Props = {
  title: string;
  template: SendableTemplate;
  form: ReturnType<typeof useSendForm>;
  messageHint: string;
  submitLabel: string;
  onClose: () => void;
  /** The preview is shown on top of this dialog. */
  preview?: ReactNode;
  children: ReactNode;
};

/** Sends a waiver to one recipient. */
export function SendFormDialog(props: Props) {
  const { title, template, form, messageHint, submitLabel, onClose, preview, children } = props;
  const { register, submit, problem, errors, isSending } = form;
  const allowance = useMailAllowance();
  return (
    <Dialog open onClose={onClose} title={title} description={template.name}>
      <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-5">
        <RecipientFields
          register={register}
          errors={errors}
          messageHint={messageHint}
          canAddMessage={!allowance?.needsConfirmedAddress}
        />
        {children}
        <MailAllowanceLine allowance={allowance} />
        <SendProblem>{problem}</SendProblem>
        <DialogActions>
          <Button variant="secondary" onClick={onClose} disabled={isSending}>
            Cancel
          </Button>
          <Button type="submit" busy={isSending}>
            {isSending ? "Sending" : submitLabel}
          </Button>
        </DialogActions>
      </form>
      {preview}
    </Dialog>
  );
}
