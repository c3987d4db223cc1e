import { Button } from "~/ui/button";
import { Dialog, DialogActions } from "~/ui/dialog";

type Props = { onStartOver: () => void; onContinue: () => void };

/** The guest has to confirm, because starting over loses the signature: it is not stored on a shared device. */
export function StartOverDialog({ onStartOver, onContinue }: Props) {
  return (
    <Dialog open onClose={onContinue} title="Start over?">
      <p className="text-muted">The signature was not stored yet and will be gone.</p>
      <DialogActions>
        <Button variant="secondary" onClick={onStartOver}>
          Start over
        </Button>
        <Button onClick={onContinue}>Go on signing</Button>
      </DialogActions>
    </Dialog>
  );
}
