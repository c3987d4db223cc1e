import { toast } from "~/ui/toast-store";
import { TEXTS, type Endpoint, type Kind } from "../model";
import { EndpointDialog } from "./endpoint-dialog";
import { RemoveEndpointDialog } from "./remove-endpoint-dialog";
import { RenewSecretDialog } from "./renew-secret-dialog";
import { SecretDialog } from "./secret-dialog";

/** What the user is doing now, for example after choosing an entry of a menu. A dialog is shown for it. */
export type Task =
  | { action: "add" }
  | { action: "edit" | "renew" | "remove"; endpoint: Endpoint }
  | { action: "secret"; secret: string };

type Props = { kind: Kind; task: Task; onTask: (next: Task | null) => void };

/** Shows the dialog of the current task. After an endpoint was added or its secret renewed, the secret is shown. */
export function EndpointDialogs({ kind, task, onTask }: Props) {
  const close = () => onTask(null);
  const showSecretOrClose = (secret: string | null | undefined) =>
    onTask(secret ? { action: "secret", secret } : null);
  switch (task.action) {
    case "add":
      return (
        <EndpointDialog
          kind={kind}
          onClose={close}
          onSaved={({ secret }) => {
            if (!secret) toast({ title: "Zap connected", description: "Send a test to see it arrive." });
            showSecretOrClose(secret);
          }}
        />
      );
    case "edit":
      return (
        <EndpointDialog
          kind={kind}
          endpoint={task.endpoint}
          onClose={close}
          onSaved={() => {
            toast({ title: "Saved" });
            close();
          }}
        />
      );
    case "renew":
      return (
        <RenewSecretDialog
          endpoint={task.endpoint}
          onClose={close}
          onRenewed={({ secret }) => showSecretOrClose(secret)}
        />
      );
    case "remove":
      return (
        <RemoveEndpointDialog
          endpoint={task.endpoint}
          onClose={close}
          onRemoved={() => {
            toast({ title: TEXTS[kind].removed, description: task.endpoint.name });
            close();
          }}
        />
      );
    case "secret":
      return <SecretDialog secret={task.secret} onClose={close} />;
  }
}
