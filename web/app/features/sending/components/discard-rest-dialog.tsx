import { Button } from "~/ui/button";
import { Dialog, DialogActions } from "~/ui/dialog";

type Props = { count: number; onKeep: () => void; onDiscard: () => void };

/** The user has to confirm, because the rest of the list is stored nowhere else. */
export function DiscardRestDialog({ count, onKeep, onDiscard }: Props) {
  return (
    <Dialog
      open
      onClose={onKeep}
      title={count === 1 ? "Do not send the last one?" : `Do not send the other ${count}?`}
    >
      <p className="text-muted">
        {count === 1 ? "This person gets" : "These people get"} no email. What was sent before stays sent.
      </p>
      <DialogActions>
        <Button variant="secondary" onClick={onKeep}>
          Keep the list
        </Button>
        <Button variant="danger" onClick={onDiscard}>
          Do not send
        </Button>
      </DialogActions>
    </Dialog>
  );
}
