import { Ban, Check, CircleAlert, Clock, Eraser, Hourglass, Inbox, Send } from "lucide-react";
import { Badge } from "./badge";

const STATUSES = {
  signed: { tone: "forest", icon: Check, label: "Signed" },
  pending: { tone: "amber", icon: Clock, label: "Pending" },
  expired: { tone: "stone", icon: Hourglass, label: "Expired" },
  sending: { tone: "amber", icon: Send, label: "Sending" },
  delivered: { tone: "forest", icon: Check, label: "Delivered" },
  kept: { tone: "stone", icon: Inbox, label: "Kept in local mailbox" },
  cancelled: { tone: "stone", icon: Ban, label: "Cancelled" },
  revoked: { tone: "red", icon: Ban, label: "Revoked" },
  superseded: { tone: "stone", icon: Ban, label: "Superseded" },
  erased: { tone: "stone", icon: Eraser, label: "Erased" },
  notSent: { tone: "stone", icon: Ban, label: "Not sent" },
  failed: { tone: "red", icon: CircleAlert, label: "Failed" },
  // The sending was recorded, but the browser was closed before it requested the email.
  notMailed: { tone: "red", icon: CircleAlert, label: "Not mailed" },
} as const;

export type StatusKind = keyof typeof STATUSES;

/** Shows a status badge. It always contains text, because color alone is not accessible. */
export function Status({ kind }: { kind: StatusKind }) {
  const { tone, icon: Icon, label } = STATUSES[kind];
  return (
    <Badge tone={tone}>
      <Icon aria-hidden />
      {label}
    </Badge>
  );
}
