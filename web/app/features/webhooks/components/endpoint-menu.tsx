import { EllipsisVertical, KeyRound, Pause, Pencil, Play, Trash2 } from "lucide-react";
import { Button } from "~/ui/button";
import { Menu, MenuItem, MenuSeparator } from "~/ui/menu";
import { toast } from "~/ui/toast-store";
import { useSetPaused } from "../api/endpoints";
import { TEXTS, type Endpoint } from "../model";
import type { Task } from "./endpoint-dialogs";

type Props = { endpoint: Endpoint; onTask: (task: Task) => void };

export function EndpointMenu({ endpoint, onTask }: Props) {
  const pause = useSetPaused(endpoint.kind);
  const { id, name, paused, kind } = endpoint;
  const togglePause = () =>
    pause.mutate(
      { id, paused: !paused },
      {
        onSuccess: () => toast({ title: paused ? "Resumed" : "Paused", description: name }),
        onError: ({ message }) =>
          toast({
            title: paused ? "Not resumed" : "Not paused",
            description: message,
            destructive: true,
          }),
      },
    );
  return (
    <Menu
      trigger={
        <Button variant="ghost" size="icon" aria-label={`More for ${name}`}>
          <EllipsisVertical aria-hidden />
        </Button>
      }
    >
      <MenuItem icon={Pencil} onSelect={() => onTask({ action: "edit", endpoint })}>
        Change
      </MenuItem>
      <MenuItem icon={paused ? Play : Pause} onSelect={togglePause}>
        {paused ? "Resume" : "Pause"}
      </MenuItem>
      {kind === "webhook" && (
        <MenuItem icon={KeyRound} onSelect={() => onTask({ action: "renew", endpoint })}>
          Renew secret
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuItem icon={Trash2} onSelect={() => onTask({ action: "remove", endpoint })}>
        {TEXTS[kind].remove}
      </MenuItem>
    </Menu>
  );
}
