import { Button } from "~/ui/button";
import { Dialog, DialogActions } from "~/ui/dialog";
import type { Sendable } from "../model";
import { useSendForm } from "../use-send-form";
import { RecipientFields } from "./recipient-fields";
import { SendProblem } from "./send-problem";

type Props = { template: Sendable; onClose: () => void };

export default function SendWaiverDialog({ template, onClose }: Props) {
  const { register, submit, problem, errors, isSending, asPdf } = useSendForm(template, false);
  return (
    <Dialog open onClose={onClose} title="Send Waiver" description={template.name}>
      <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-5">
        <RecipientFields
          register={register}
          errors={errors}
          messageHint="Optional. Stands in the email, above the link."
        />
        <label className="flex min-h-11 items-center gap-3">
          <input type="checkbox" {...register("asPdf")} className="size-5 shrink-0 accent-forest" />
          Send as interactive PDF (recipient can fill and sign)
        </label>
        <SendProblem>{problem}</SendProblem>
        <DialogActions>
          <Button variant="secondary" onClick={onClose} disabled={isSending}>
            Cancel
          </Button>
          <Button type="submit" busy={isSending}>
            {isSending ? "Sending" : asPdf ? "Send PDF" : "Send Waiver"}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
