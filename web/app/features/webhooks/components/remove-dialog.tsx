import { Button } from "~/ui/button";
import { Dialog, DialogActions } from "~/ui/dialog";
import { FieldError } from "~/ui/field";
import { useRemove } from "../api/endpoints";
import { WORDS, type Endpoint } from "../model";

type Props = { endpoint: Endpoint; onClose: () => void; onRemoved: () => void };

export function RemoveDialog({ endpoint, onClose, onRemoved }: Props) {
  const words = WORDS[endpoint.kind];
  const remove = useRemove(endpoint.kind);
  return (
    <Dialog open onClose={onClose} title={words.removeTitle} description={endpoint.name}>
      <p>{words.removeText} To stop for a while, pause it instead.</p>
      {remove.error && (
        <div className="mt-4">
          <FieldError>{remove.error.message}</FieldError>
        </div>
      )}
      <DialogActions>
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button
          variant="danger"
          busy={remove.isPending}
          onClick={() => remove.mutate(endpoint.id, { onSuccess: onRemoved })}
        >
          {words.remove}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
