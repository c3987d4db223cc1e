import { cx } from "class-variance-authority";
import { Popover } from "radix-ui";
import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import { relativeTime } from "~/lib/dates";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { clearUpTo, markAllRead, markRead, useChangeNotifications } from "../api/change-notifications";
import type { NotificationItem } from "../api/notifications";

type Props = { list: NotificationItem[]; trigger: ReactNode };

export default function NotificationsPanel({ list, trigger }: Props) {
  const change = useChangeNotifications();
  const hasUnread = list.some((item) => !item.read);
  const [newest] = list;
  return (
    <Popover.Root defaultOpen>
      <Popover.Trigger asChild>{trigger}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={8}
          collisionPadding={12}
          aria-label="Notifications"
          className="z-50 w-96 max-w-[calc(100vw-24px)] animate-fade overflow-hidden rounded-card border border-line bg-surface shadow-lift outline-none"
        >
          <div className="flex items-center gap-1 border-b border-line py-1.5 ps-4 pe-1.5">
            <h2 className="grow font-semibold">Notifications</h2>
            <Button
              variant="ghost"
              size="sm"
              disabled={!hasUnread}
              onClick={() => change.mutate(markAllRead)}
            >
              Mark all read
            </Button>
            <Button
              variant="ghost"
              size="sm"
              disabled={!newest}
              onClick={() => newest && change.mutate(clearUpTo(newest))}
            >
              Clear all
            </Button>
          </div>
          <ul className="h-[300px] overflow-y-auto">
            {list.map((item) => (
              <Item key={item.id} item={item} onRead={() => !item.read && change.mutate(markRead(item.id))} />
            ))}
            {!newest && (
              <li className="grid h-full place-content-center px-8 text-center">
                <p className="font-medium">Nothing new</p>
                <p className="mt-0.5 text-sm text-balance text-muted">
                  You are notified here as soon as someone signs a waiver.
                </p>
              </li>
            )}
          </ul>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

const itemClasses = "flex w-full gap-3 px-4 py-3 text-start -outline-offset-2 hover:bg-sunken/60";

/** A notification about a waiver opens its page and closes the panel. */
function Item({ item, onRead }: { item: NotificationItem; onRead: () => void }) {
  const sessionId = item.data.session_id;
  return (
    <li className="border-b border-line last:border-0">
      {sessionId ? (
        <Popover.Close asChild>
          <Link to={paths.waiver(sessionId)} onClick={onRead} className={itemClasses}>
            <ItemContent item={item} />
          </Link>
        </Popover.Close>
      ) : (
        <button type="button" onClick={onRead} className={itemClasses}>
          <ItemContent item={item} />
        </button>
      )}
    </li>
  );
}

function ItemContent({ item }: { item: NotificationItem }) {
  const [now] = useState(() => new Date());
  return (
    <>
      <span className={cx("mt-2 size-2 shrink-0 rounded-full", item.read ? "bg-transparent" : "bg-ember")}>
        {!item.read && <span className="sr-only">Unread</span>}
      </span>
      <span className="min-w-0">
        <span className="block font-medium">{item.title}</span>
        <span dir="auto" className="block text-sm wrap-break-word text-muted">
          {item.message}
        </span>
        <time dateTime={item.created_at} className="mt-0.5 block text-xs text-muted">
          {relativeTime(new Date(item.created_at), now)}
        </time>
      </span>
    </>
  );
}
