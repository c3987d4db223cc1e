/** What the server returns before a company has chosen a mail provider, and the requests of Email Settings. */
export const SAVED_CONFIGURATION = {
  provider: "service",
  hasApiKey: false,
  customEndpoint: null,
  senderEmail: null,
  failingSince: null,
  lastError: null,
  serviceConfigured: true,
  serviceProvider: "smtp",
  serviceSender: "waivers@localhost",
  hasReportKey: false,
  reportPaths: { resend: "/mail-reports/resend/c-1", sendgrid: "/mail-reports/sendgrid/c-1" },
};
export const READ_REQUEST = "POST /functions/v1/email-configuration";
export const SAVE_REQUEST = "POST /functions/v1/save-email-configuration";
