import { Skeleton } from "~/ui/skeleton";
import { Switch } from "~/ui/switch";
import { usePushState, useSwitchPush, type PushState } from "../api/push";

const DESCRIPTIONS: Record<PushState, string> = {
  on: "This browser shows each signature until you sign out, also when Cairn is closed.",
  off: "This browser shows each signature until you sign out, also when Cairn is closed.",
  blocked: "This browser forbids notifications from Cairn. Allow them in its site settings first.",
  unsupported: "This browser cannot show notifications while the page is closed.",
};

export function PushSwitch() {
  const { data: state, isError } = usePushState();
  const switchPush = useSwitchPush();
  if (!state && !isError) return <Skeleton className="h-12 w-full" />;
  const shownState = state ?? "unsupported";
  return (
    <Switch
      label="By push on this browser"
      checked={switchPush.isPending ? switchPush.variables : shownState === "on"}
      disabled={switchPush.isPending || shownState === "blocked" || shownState === "unsupported"}
      onChange={(on) => switchPush.mutate(on)}
    >
      {DESCRIPTIONS[shownState]}
    </Switch>
  );
}
