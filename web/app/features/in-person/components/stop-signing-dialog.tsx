import { Button } from "~/ui/button";
import { Dialog, DialogActions } from "~/ui/dialog";

type Props = { onStop: () => void; onContinue: () => void };

/** The guest has to confirm that signing is stopped, because a signature is never stored on a shared device. */
export function StopSigningDialog({ onStop, onContinue }: Props) {
  return (
    <Dialog open onClose={onContinue} title="Close without signing?">
      <p className="text-muted">
        The signature was not stored yet and will be gone. The waiver stays pending and can be signed later.
      </p>
      <DialogActions>
        <Button variant="secondary" onClick={onStop}>
          Close
        </Button>
        <Button onClick={onContinue}>Go on signing</Button>
      </DialogActions>
    </Dialog>
  );
}
