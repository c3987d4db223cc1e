import type { SentRow } from "./sent-waiver";

/** Returns a sent waiver as it is cached in the browser. */
export function toCachedRecord(row: SentRow) {
  return {
    id: row.id,
    templateId: row.template_id,
    templateName: row.template_name,
    recipientName: row.recipient_name,
    recipientEmail: row.recipient_email,
    sentAt: row.sent_at,
    status: row.status,
    sentAsPdf: row.sent_as_pdf,
    emailStatus: row.email_status,
    emailMessageId: row.email_message_id,
    templateContent: row.template_content,
    sessionId: row.session_id,
  };
}
