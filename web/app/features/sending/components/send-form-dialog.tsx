import type { ReactNode } from "react";
import { Button } from "~/ui/button";
import { Dialog, DialogActions } from "~/ui/dialog";
import type { Sendable } from "../model";
import type { useSendForm } from "../use-send-form";
import { RecipientFields } from "./recipient-fields";
import { SendProblem } from "./send-problem";

type Props = {
  title: string;
  template: Sendable;
  form: ReturnType<typeof useSendForm>;
  messageHint: string;
  action: string;
  onClose: () => void;
  /** Shown on top of this dialog. */
  preview?: ReactNode;
  children: ReactNode;
};

/** The dialog in which a waiver is sent to one recipient. */
export function SendFormDialog(props: Props) {
  const { title, template, form, messageHint, action, onClose, preview, children } = props;
  const { register, submit, problem, errors, isSending } = form;
  return (
    <Dialog open onClose={onClose} title={title} description={template.name}>
      <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-5">
        <RecipientFields register={register} errors={errors} messageHint={messageHint} />
        {children}
        <SendProblem>{problem}</SendProblem>
        <DialogActions>
          <Button variant="secondary" onClick={onClose} disabled={isSending}>
            Cancel
          </Button>
          <Button type="submit" busy={isSending}>
            {isSending ? "Sending" : action}
          </Button>
        </DialogActions>
      </form>
      {preview}
    </Dialog>
  );
}
