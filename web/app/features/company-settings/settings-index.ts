import {
  BellRing,
  Building2,
  Clock,
  Code,
  CreditCard,
  Download,
  FileClock,
  Hourglass,
  KeyRound,
  Mail,
  RefreshCcw,
  Reply,
  UserRound,
  Webhook,
  Zap,
  type LucideIcon,
} from "lucide-react";
import { paths } from "~/paths";
import { dayCount, describeSchedule, type CompanySettings } from "./model";
import { zoneName } from "./time-zones";

type Entry = { to: string; icon: LucideIcon; title: string; text: string };
export type SettingsGroup = { title: string; entries: Entry[] };

/** This is the URL of the email settings, which are a section of the settings page. */
export const EMAIL_SETTINGS = `${paths.settings}?section=email`;

/** Lists everything that can be set today, with the saved value where there is one. `settings` is null until loaded. */
export function settingsGroups(companyName: string, settings: CompanySettings | null): SettingsGroup[] {
  return [
    {
      title: "Company",
      entries: [
        {
          to: paths.profile,
          icon: Building2,
          title: "Company name",
          text: companyName || "Your waivers need the name of your company.",
        },
        {
          to: paths.companySetting("time-zone"),
          icon: Clock,
          title: "Time zone",
          text: settings
            ? zoneName(settings.timeZone, new Date())
            : "For reminders and the dates in your emails.",
        },
      ],
    },
    {
      title: "Sending",
      entries: [
        {
          to: EMAIL_SETTINGS,
          icon: Mail,
          title: "Email service",
          text: "Which service sends your emails, a test email, and the history.",
        },
        {
          to: paths.companySetting("sender"),
          icon: Reply,
          title: "Sender and replies",
          text: settings ? describeSender(settings) : "The name in your emails, and where replies go.",
        },
        {
          to: paths.companySetting("link-days"),
          icon: Hourglass,
          title: "Expiry of links",
          text: settings
            ? `A link works for ${dayCount(settings.linkDays)}.`
            : "How long guests can use a link.",
        },
      ],
    },
    {
      title: "Reminders",
      entries: [
        {
          to: paths.companySetting("reminders"),
          icon: RefreshCcw,
          title: "Reminders",
          text: settings ? describeSchedule(settings) : "When guests who have not signed are reminded.",
        },
      ],
    },
    {
      title: "Signing",
      entries: [
        {
          to: paths.embedding,
          icon: Code,
          title: "Signing on your website",
          text: "The HTML snippet, and the websites that may show it.",
        },
      ],
    },
    {
      title: "Security",
      entries: [
        {
          to: `${paths.profile}?section=security`,
          icon: KeyRound,
          title: "Password & Security",
          text: "Your password, a second factor, and open sessions.",
        },
      ],
    },
    {
      title: "Billing & Payment",
      entries: [
        {
          to: paths.billing,
          icon: CreditCard,
          title: "Plan and payment",
          text: "Your plan, payment methods, and invoices.",
        },
      ],
    },
    {
      title: "Data",
      entries: [
        {
          to: `${paths.profile}#records`,
          icon: FileClock,
          title: "Keeping records",
          text: "How long signed waivers are kept, and requests to erase data.",
        },
        {
          to: `${paths.profile}#company-data`,
          icon: Download,
          title: "Export or delete",
          text: "Download everything, or delete your company.",
        },
      ],
    },
    {
      title: "Connections",
      entries: [
        {
          to: paths.webhooks,
          icon: Webhook,
          title: "Webhooks",
          text: "Notify your own systems of each signed waiver.",
        },
        {
          to: paths.zapier,
          icon: Zap,
          title: "Zapier",
          text: "Start a Zap with each signed waiver.",
        },
        {
          to: paths.apiConnections,
          icon: KeyRound,
          title: "API Connections",
          text: "The address and the key for your own programs.",
        },
      ],
    },
    {
      title: "Your account",
      entries: [
        {
          to: paths.profile,
          icon: UserRound,
          title: "Profile",
          text: "Your name, your picture, and a few words about you.",
        },
        {
          to: `${paths.profile}?section=notifications`,
          icon: BellRing,
          title: "Notifications",
          text: "How you are notified of signed waivers.",
        },
      ],
    },
  ];
}

function describeSender({ senderName, replyTo }: CompanySettings): string {
  const sender = senderName || "The name of your company";
  return replyTo ? `${sender}, replies to ${replyTo}` : `${sender}, replies to the sender’s address`;
}
