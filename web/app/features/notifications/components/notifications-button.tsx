import { Bell as NotificationsIcon } from "lucide-react";
import { lazy, type ComponentProps } from "react";
import { Button } from "~/ui/button";
import { OnDemand } from "~/ui/on-demand";
import { useNotifications } from "../api/notifications";
import { badgeText } from "../model";

export const loadNotificationsPanel = () => import("./notifications-panel");
const NotificationsPanel = lazy(loadNotificationsPanel);

export function NotificationsButton() {
  const { data: list = [] } = useNotifications();
  const badge = badgeText(list.filter((item) => !item.read).length);
  return (
    <OnDemand kind="dialog" trigger={(props) => <Trigger {...props} badge={badge} />}>
      <NotificationsPanel list={list} trigger={<Trigger badge={badge} />} />
    </OnDemand>
  );
}

function Trigger({ badge, ...rest }: ComponentProps<"button"> & { badge: string | null }) {
  const label = badge ? `Notifications, ${badge} unread` : "Notifications";
  return (
    <Button {...rest} variant="ghost" size="icon" className="relative" aria-label={label}>
      <NotificationsIcon aria-hidden />
      {badge && (
        <span
          aria-hidden
          className="absolute end-0 top-0 grid h-4.5 min-w-4.5 place-items-center rounded-full bg-ember px-1 text-[0.6875rem] leading-none font-bold text-black tabular-nums"
        >
          {badge}
        </span>
      )}
    </Button>
  );
}
