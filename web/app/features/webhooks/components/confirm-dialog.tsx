import type { ReactNode } from "react";
import { Button } from "~/ui/button";
import { Dialog, DialogActions } from "~/ui/dialog";
import { FieldError } from "~/ui/field";

type Props = {
  title: string;
  endpointName: string;
  confirmLabel: string;
  isDangerous?: boolean;
  isBusy: boolean;
  error: Error | null;
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
};

/** The user has to confirm a change of an endpoint here. If the change fails, the dialog shows the reason. */
export function ConfirmDialog(props: Props) {
  const { title, endpointName, confirmLabel, isDangerous, isBusy, error, onConfirm, onClose, children } =
    props;
  return (
    <Dialog open onClose={onClose} title={title} description={endpointName}>
      <p>{children}</p>
      {error && (
        <div className="mt-4">
          <FieldError>{error.message}</FieldError>
        </div>
      )}
      <DialogActions>
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button variant={isDangerous ? "danger" : "primary"} busy={isBusy} onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
