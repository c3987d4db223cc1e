import { Button } from "~/ui/button";
import { Dialog, DialogActions } from "~/ui/dialog";

type Props = { onStop: () => void; onGoOn: () => void };

/** A drawn signature is not kept on a device that many people use, so it is asked before it goes. */
export function StopSigningDialog({ onStop, onGoOn }: Props) {
  return (
    <Dialog open onClose={onGoOn} title="Close without signing?">
      <p className="text-muted">
        The signature was not stored yet and will be gone. The waiver stays pending and can be signed later.
      </p>
      <DialogActions>
        <Button variant="secondary" onClick={onStop}>
          Close
        </Button>
        <Button onClick={onGoOn}>Go on signing</Button>
      </DialogActions>
    </Dialog>
  );
}
