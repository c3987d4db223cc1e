/** The rows the data service answers with, as far as the browser asks for them (cairn/db/migrations is the truth). */
export type Role = "company" | "customer";
export type SessionStatus = "pending" | "signed" | "template_default";
export type MailStatus = "sending" | "delivered" | "kept" | "failed";

export type ProfileRow = {
  id: string;
  role: Role;
  name: string;
  email: string;
  company_id: string | null;
  bio: string;
  profile_picture: string | null;
  email_on_signing: boolean;
  first_steps_hidden: boolean;
  created_at: string;
};

export type PushSubscriptionRow = { id: string; endpoint: string; created_at: string };

export type CompanyRow = { id: string; name: string };

export type TemplateRow = {
  id: string;
  company_id: string | null;
  name: string;
  description: string;
  content: string;
  created_at: string;
  updated_at: string;
};

export type SessionRow = {
  id: string;
  template_id: string;
  template_name: string;
  template_content: string;
  recipient_name: string | null;
  recipient_email: string | null;
  status: SessionStatus;
  created_at: string;
  expires_at: string | null;
  signed_at: string | null;
  signer_name: string | null;
  signer_email: string | null;
};

export type SignedWaiverRow = {
  id: string;
  session_id: string;
  template_id: string;
  template_name: string;
  signer_name: string;
  signer_email: string;
  signature: string;
  content: string;
  signed_at: string;
};

export type SentWaiverRow = {
  id: string;
  session_id: string;
  template_id: string;
  template_name: string;
  template_content: string;
  recipient_name: string;
  recipient_email: string;
  status: "pending" | "sent_pdf";
  sent_as_pdf: boolean;
  email_status: MailStatus;
  email_message_id: string | null;
  email_error: string | null;
  sent_at: string;
};

export type EmailRow = {
  id: string;
  session_id: string | null;
  recipient: string;
  subject: string;
  body: string;
  status: MailStatus;
  error: string | null;
  created_at: string;
  sent_at: string | null;
};

export type NotificationRow = {
  id: string;
  title: string;
  message: string;
  read: boolean;
  data: { [fact: string]: string | null };
  created_at: string;
};

export type TrialRow = {
  user_id: string;
  start_date: string;
  subscribed: boolean;
  days_remaining: number;
  is_active: boolean;
};

export type MyWaiverRow = {
  session_id: string;
  waiver_id: string | null;
  status: "pending" | "expired" | "signed";
  template_name: string;
  company_name: string;
  sent_at: string;
  expires_at: string | null;
  signed_at: string | null;
  document_status: "preparing" | "ready" | null;
};

export type AddressState = "proven" | "unverified" | "sign in again";

type Readable<Row> = { Row: Row; Insert: never; Update: never; Relationships: [] };
type Writable<Row, Insert, Update> = { Row: Row; Insert: Insert; Update: Update; Relationships: [] };

export type Database = {
  public: {
    Tables: {
      profiles: Writable<
        ProfileRow,
        never,
        Partial<
          Pick<ProfileRow, "name" | "bio" | "profile_picture" | "email_on_signing" | "first_steps_hidden">
        >
      >;
      push_subscriptions: Writable<
        PushSubscriptionRow,
        { endpoint: string; p256dh: string; auth: string },
        never
      >;
      companies: Writable<CompanyRow, never, Pick<CompanyRow, "name">>;
      waiver_templates: Writable<
        TemplateRow,
        Pick<TemplateRow, "name" | "description" | "content">,
        Pick<TemplateRow, "name" | "description" | "content">
      >;
      waiver_sessions: Writable<
        SessionRow,
        Pick<SessionRow, "template_id" | "status" | "template_content"> &
          Partial<Pick<SessionRow, "recipient_name" | "recipient_email">>,
        never
      >;
      signed_waivers: Readable<SignedWaiverRow>;
      sent_waivers: Writable<
        SentWaiverRow,
        Omit<SentWaiverRow, "id" | "email_status" | "email_message_id" | "email_error" | "sent_at">,
        never
      >;
      emails: Readable<EmailRow>;
      trials: Readable<TrialRow>;
      notifications: Writable<NotificationRow, never, Pick<NotificationRow, "read">>;
    };
    Views: Record<string, never>;
    Functions: {
      my_address: { Args: Record<string, never>; Returns: AddressState | null };
      my_waivers: { Args: Record<string, never>; Returns: MyWaiverRow[] };
      tell_trial: { Args: { today: string }; Returns: "welcome" | "reminder" | null };
      enable_realtime_for_table: { Args: { table_name: string }; Returns: undefined };
    };
  };
};
