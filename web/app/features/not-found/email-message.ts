import { CircleAlert, CircleCheck, Inbox, Send, type LucideIcon } from "lucide-react";
import type { EmailPage } from "./model";

type Message = { icon: LucideIcon; title: string; lines: string[] };

export function messageFor(page: EmailPage): Message {
  switch (page.kind) {
    case "sent":
      return {
        icon: CircleCheck,
        title: "Email Sent",
        lines: ["Your email has been sent successfully!", "The waiver is being delivered to the recipient."],
      };
    case "sending":
      return {
        icon: Send,
        title: "Email On Its Way",
        lines: ["The mail server has not answered yet. Email History shows when it has been delivered."],
      };
    case "kept":
      return {
        icon: Inbox,
        title: "Email Kept",
        lines: ["Saved in Email History; not delivered to anyone."],
      };
    case "failed":
      return { icon: CircleAlert, title: "Email Not Sent", lines: [page.reason] };
  }
}
