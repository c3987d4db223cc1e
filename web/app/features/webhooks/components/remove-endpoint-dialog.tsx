import { useRemoveEndpoint } from "../api/endpoints";
import { TEXTS, type Endpoint } from "../model";
import { ConfirmDialog } from "./confirm-dialog";

type Props = { endpoint: Endpoint; onClose: () => void; onRemoved: () => void };

export function RemoveEndpointDialog({ endpoint, onClose, onRemoved }: Props) {
  const texts = TEXTS[endpoint.kind];
  const remove = useRemoveEndpoint(endpoint.kind);
  return (
    <ConfirmDialog
      title={texts.removeTitle}
      endpointName={endpoint.name}
      confirmLabel={texts.remove}
      isDangerous
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(endpoint.id, { onSuccess: onRemoved })}
      onClose={onClose}
    >
      {texts.removeText} To stop for a while, pause it instead.
    </ConfirmDialog>
  );
}
