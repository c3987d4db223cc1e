import {
  BookOpen,
  Cable,
  CirclePlay,
  Code,
  KeyRound,
  LifeBuoy,
  MessageCircleQuestion,
  Webhook,
  Zap,
} from "lucide-react";
import { paths } from "~/paths";

export const CONNECT_GROUP = {
  label: "Connect",
  icon: Cable,
  entries: [
    { to: paths.webhooks, label: "Webhooks", icon: Webhook },
    { to: paths.zapier, label: "Zapier", icon: Zap },
    { to: paths.embedding, label: "HTML Embedding", icon: Code },
    { to: paths.apiConnections, label: "API Connections", icon: KeyRound },
  ],
};

export const HELP_GROUP = {
  label: "Help & Support",
  icon: LifeBuoy,
  entries: [
    { to: paths.documentation, label: "Documentation", icon: BookOpen },
    { to: paths.support, label: "Contact Support", icon: MessageCircleQuestion },
    { to: paths.tutorials, label: "Tutorial Videos", icon: CirclePlay },
  ],
};
