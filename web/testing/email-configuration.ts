/** The server returns this configuration until the company has chosen a mail provider. */
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

/** Email Settings reads and saves the configuration with these requests. */
export const READ_REQUEST = "POST /functions/v1/email-configuration";
export const SAVE_REQUEST = "POST /functions/v1/save-email-configuration";
