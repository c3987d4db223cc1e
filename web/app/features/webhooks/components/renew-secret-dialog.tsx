import { useRenewSecret } from "../api/save-endpoint";
import type { Endpoint, SavedEndpoint } from "../model";
import { ConfirmDialog } from "./confirm-dialog";

type Props = { endpoint: Endpoint; onClose: () => void; onRenewed: (saved: SavedEndpoint) => void };

export function RenewSecretDialog({ endpoint, onClose, onRenewed }: Props) {
  const renew = useRenewSecret(endpoint.id);
  return (
    <ConfirmDialog
      title="Renew the signing secret?"
      endpointName={endpoint.name}
      confirmLabel="Renew secret"
      isBusy={renew.isPending}
      error={renew.error}
      onConfirm={() => renew.mutate(undefined, { onSuccess: onRenewed })}
      onClose={onClose}
    >
      You get a new secret. For one day each delivery is signed with both the old and the new secret, so that
      you have time to switch. After that, deliveries are signed with the new secret only.
    </ConfirmDialog>
  );
}
