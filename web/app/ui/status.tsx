import { Ban, Check, CircleAlert, Clock, Hourglass, Inbox, Send } from "lucide-react";
import { Badge } from "./badge";

const KINDS = {
  signed: { tone: "forest", icon: Check, word: "Signed" },
  pending: { tone: "amber", icon: Clock, word: "Pending" },
  expired: { tone: "stone", icon: Hourglass, word: "Expired" },
  sending: { tone: "amber", icon: Send, word: "Sending" },
  delivered: { tone: "forest", icon: Check, word: "Delivered" },
  kept: { tone: "stone", icon: Inbox, word: "Kept in local mailbox" },
  cancelled: { tone: "stone", icon: Ban, word: "Not sent" },
  failed: { tone: "red", icon: CircleAlert, word: "Failed" },
  unsent: { tone: "red", icon: CircleAlert, word: "Not mailed" },
} as const;

export type StatusKind = keyof typeof KINDS;

/** What became of something: always a word, never the colour alone. */
export function Status({ kind }: { kind: StatusKind }) {
  const { tone, icon: Icon, word } = KINDS[kind];
  return (
    <Badge tone={tone}>
      <Icon aria-hidden />
      {word}
    </Badge>
  );
}
