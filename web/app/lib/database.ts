import type { DeliveryRow, EndpointRow } from "./webhook-rows";

/** The rows the data service answers with, as far as the browser asks for them (defined in the migrations and sql folders). */
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

export type CompanySettings = {
  time_zone: string;
  link_days: number;
  reminders: boolean;
  reminder_first_days: number;
  reminder_every_days: number;
  reminder_limit: number;
  reminders_by_text: boolean;
  sender_name: string | null;
  reply_to: string | null;
};

/** Origins of websites; a star alone is any. */
type Framing = { framed_by: string[] };

export type CompanyRow = { id: string; name: string } & CompanySettings & Framing;

export type PushSubscriptionRow = { id: string; endpoint: string; created_at: string };

export type TemplateRow = {
  id: string;
  company_id: string | null;
  name: string;
  description: string;
  content: string;
  version: number;
  created_at: string;
  updated_at: string;
  archived_at: string | null;
};

export type TemplateVersionRow = {
  template_id: string;
  version: number;
  name: string;
  description: string;
  content: string;
  saved_at: string;
  saved_by_name: string | null;
};

export type SessionRow = {
  id: string;
  template_id: string;
  template_name: string;
  template_description: string;
  template_content: string;
  company_name: string;
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

export type ConsentTextRow = { version: string; language: string; text: string };

/** A signature as it is handed in; the id is made by whoever signs, so that sending it twice stores it once. */
export type SignatureInsert = Omit<SignedWaiverRow, "signed_at"> & {
  time_zone: string;
  strokes: object | null;
  first_viewed_at: string;
  last_viewed_at: string;
  scroll_depth: number;
  consent_version?: string;
  consent_language?: string;
  consented_at?: string;
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
  /** Where it was also texted to, and what became of that. */
  recipient_phone: string | null;
  text_status: "sending" | "delivered" | "failed" | null;
  text_error: string | null;
  sent_at: string;
};

export type EmailRow = {
  id: string;
  session_id: string | null;
  recipient: string;
  subject: string;
  body: string;
  kind: "message" | "reminder" | "test";
  provider: string | null;
  status: MailStatus | "cancelled";
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

/** A line of Waiver Management; `place` and `id` of the last one ask for what follows it. */
export type DirectoryEntry = {
  id: string;
  type: "signed" | "pending";
  session_id: string;
  template_id: string;
  template_name: string;
  name: string;
  email: string | null;
  status: "signed" | "pending" | "expired";
  at: string | null;
  place: string;
};

type DirectoryQuestion = { term: string; state: string };
type DirectoryPage = { sorted: string; after_place?: string; after_id?: string; up_to: number };

export type TrialRow = {
  user_id: string;
  start_date: string;
  subscribed: boolean;
  days_remaining: number;
  is_active: boolean;
};

export type PlanName = "basic" | "professional";

export type SubscriptionRow = {
  id: string;
  company_id: string | null;
  provider: "stripe" | "sandbox";
  plan: PlanName;
  status: "active" | "past_due" | "paused" | "ended";
  renews_at: string | null;
  is_ending: boolean;
  created_at: string;
};

export type InvoiceRow = {
  id: string;
  number: number;
  description: string;
  amount_cents: number;
  status: "paid" | "open";
  issued_at: string;
  url: string | null;
};

/** `covered` is null where a plan has no limit. */
export type AllowanceRow = { month: string; sent: number; covered: number | null };

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
      companies: Writable<CompanyRow, never, Partial<Omit<CompanyRow, "id">>>;
      waiver_templates: Writable<
        TemplateRow,
        Pick<TemplateRow, "name" | "description" | "content">,
        Partial<Pick<TemplateRow, "name" | "description" | "content" | "archived_at">>
      >;
      waiver_template_versions: Readable<TemplateVersionRow>;
      waiver_sessions: Writable<
        SessionRow,
        Pick<SessionRow, "template_id" | "status" | "template_content"> &
          Partial<Pick<SessionRow, "recipient_name" | "recipient_email">>,
        never
      >;
      signed_waivers: Writable<SignedWaiverRow, SignatureInsert, never>;
      consent_texts: Readable<ConsentTextRow>;
      sent_waivers: Writable<
        SentWaiverRow,
        Omit<
          SentWaiverRow,
          | "id"
          | "email_status"
          | "email_message_id"
          | "email_error"
          | "recipient_phone"
          | "text_status"
          | "text_error"
          | "sent_at"
        >,
        never
      >;
      emails: Readable<EmailRow>;
      trials: Readable<TrialRow>;
      subscriptions: Readable<SubscriptionRow>;
      invoices: Readable<InvoiceRow>;
      notifications: Writable<NotificationRow, never, Pick<NotificationRow, "read">>;
      webhook_endpoints: Writable<EndpointRow, never, Partial<Pick<EndpointRow, "name" | "paused">>>;
      webhook_deliveries: Readable<DeliveryRow>;
    };
    Views: Record<string, never>;
    Functions: {
      my_address: { Args: Record<string, never>; Returns: AddressState | null };
      my_waivers: { Args: Record<string, never>; Returns: MyWaiverRow[] };
      waiver_allowance: { Args: Record<string, never>; Returns: AllowanceRow };
      tell_trial: { Args: { today: string }; Returns: "welcome" | "reminder" | null };
      enable_realtime_for_table: { Args: { table_name: string }; Returns: undefined };
      note_waiver_view: { Args: { session_id: string }; Returns: undefined };
      note_failed_sending: { Args: { session_id: string; reason: string }; Returns: undefined };
      waiver_directory: { Args: DirectoryQuestion & DirectoryPage; Returns: DirectoryEntry[] };
      count_waiver_directory: { Args: DirectoryQuestion; Returns: number };
      send_reminders: { Args: { session_ids?: string[] }; Returns: number };
    };
  };
};
