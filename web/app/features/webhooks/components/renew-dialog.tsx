import { Button } from "~/ui/button";
import { Dialog, DialogActions } from "~/ui/dialog";
import { FieldError } from "~/ui/field";
import { useRenewSecret } from "../api/save-endpoint";
import type { Endpoint, Saved } from "../model";

type Props = { endpoint: Endpoint; onClose: () => void; onRenewed: (saved: Saved) => void };

export function RenewDialog({ endpoint, onClose, onRenewed }: Props) {
  const renew = useRenewSecret(endpoint.id);
  return (
    <Dialog open onClose={onClose} title="Renew the signing secret?" description={endpoint.name}>
      <p>
        You get a new secret. For one day each post carries a signature of the old and of the new one, so that
        you can change over in peace; after that only the new one is good.
      </p>
      {renew.error && (
        <div className="mt-4">
          <FieldError>{renew.error.message}</FieldError>
        </div>
      )}
      <DialogActions>
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button busy={renew.isPending} onClick={() => renew.mutate(undefined, { onSuccess: onRenewed })}>
          Renew secret
        </Button>
      </DialogActions>
    </Dialog>
  );
}
