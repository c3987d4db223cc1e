import { toast } from "~/ui/toast-store";
import { WORDS, type Endpoint, type Kind } from "../model";
import { EndpointDialog } from "./endpoint-dialog";
import { RemoveDialog } from "./remove-dialog";
import { RenewDialog } from "./renew-dialog";
import { SecretDialog } from "./secret-dialog";

export type Task =
  | { what: "add" }
  | { what: "edit" | "renew" | "remove"; endpoint: Endpoint }
  | { what: "secret"; secret: string };

type Props = { kind: Kind; task: Task; onTask: (next: Task | null) => void };

/** One window at a time; a new secret follows from adding or renewing. */
export function EndpointTask({ kind, task, onTask }: Props) {
  const close = () => onTask(null);
  const reveal = (secret: string | null | undefined) => onTask(secret ? { what: "secret", secret } : null);
  switch (task.what) {
    case "add":
      return (
        <EndpointDialog
          kind={kind}
          onClose={close}
          onSaved={({ secret }) => {
            if (!secret) toast({ title: "Zap connected", description: "Send a test to see it arrive." });
            reveal(secret);
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
        <RenewDialog endpoint={task.endpoint} onClose={close} onRenewed={({ secret }) => reveal(secret)} />
      );
    case "remove":
      return (
        <RemoveDialog
          endpoint={task.endpoint}
          onClose={close}
          onRemoved={() => {
            toast({ title: WORDS[kind].removed, description: task.endpoint.name });
            close();
          }}
        />
      );
    case "secret":
      return <SecretDialog secret={task.secret} onClose={close} />;
  }
}
