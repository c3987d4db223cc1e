import { screen } from "@testing-library/react";
import EmailDialog from "~/features/mail/components/email-dialog";
import { ROSA, signInAs } from "./server";
import { show } from "./show";

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

/** Signs in Rosa. Test emails are sent to her address. */
export function signInAsSender() {
  signInAs(ROSA);
  localStorage.setItem("user", JSON.stringify({ email: "rosa@example.com" }));
}

/** Opens Email Settings and returns the radio button of the application service. */
export function openEmailDialog() {
  show(<EmailDialog onClose={() => {}} />);
  return screen.findByRole("radio", { name: /Application service/ });
}
