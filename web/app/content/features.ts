import { Archive, BellRing, FilePenLine, ListChecks, PenLine, Send, type LucideIcon } from "lucide-react";

export type Feature = { icon: LucideIcon; title: string; text: string };

/** These are the six features that the home page advertises. */
export const FEATURES: Feature[] = [
  {
    icon: PenLine,
    title: "Legally binding e-signatures on any device",
    text: "Guests draw or type their name on their own phone. Consent, text and time are kept with every signature.",
  },
  {
    icon: Send,
    title: "Automated email and SMS reminders",
    text: "Guests who have not signed are reminded by email on the schedule you choose, and by text message, if enabled.",
  },
  {
    icon: ListChecks,
    title: "Tracking of which guests have signed",
    text: "A new signature appears on the open dashboard without a reload.",
  },
  {
    icon: FilePenLine,
    title: "Customizable templates",
    text: "Write your own text or start from a sample. The names are filled in for every guest.",
  },
  {
    icon: Archive,
    title: "Secure storage of signed waivers",
    text: "Each becomes a sealed PDF that is stored encrypted. You find it by name, and anyone who has it can check it.",
  },
  {
    icon: BellRing,
    title: "Notification by email, SMS or push",
    text: "You hear about each signature by email, by push or in the app. Guests are reached by email, and by text message, if enabled.",
  },
];
