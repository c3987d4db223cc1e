import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import {
  openEmailDialog,
  READ_REQUEST,
  SAVED_CONFIGURATION,
  SAVE_REQUEST,
  signInAsSender,
} from "~/../testing/email-configuration";
import { serve } from "~/../testing/server";

beforeEach(signInAsSender);

const save = () => userEvent.click(screen.getByRole("button", { name: "Save Settings" }));

test.each([
  ["resend", "Signing secret"],
  ["sendgrid", "Verification key"],
])("%s shows the address for its reports and saves the key that verifies them", async (provider, label) => {
  const savedConfiguration = { ...SAVED_CONFIGURATION, provider, hasApiKey: true };
  const requests = serve({
    [READ_REQUEST]: { body: savedConfiguration },
    [SAVE_REQUEST]: { body: { ...savedConfiguration, hasReportKey: true } },
  });
  await openEmailDialog();

  expect(screen.getByLabelText("Webhook address")).toHaveTextContent(
    `${window.location.origin}/mail-reports/${provider}/c-1`,
  );
  await userEvent.type(screen.getByLabelText(label), "whsec_abc");
  await save();

  expect(await screen.findByText("Email settings saved")).toBeVisible();
  expect(requests.find(({ path }) => path.endsWith("save-email-configuration"))?.body).toMatchObject({
    provider,
    reportKey: "whsec_abc",
  });
  expect(screen.getByLabelText(label)).toHaveValue("");
  expect(screen.getByLabelText(label)).toHaveAccessibleDescription(/A key is saved/);
  expect(JSON.stringify({ ...localStorage })).not.toContain("whsec_abc");
});

test("a text that is no signing secret is reported beside its field", async () => {
  const reason = "This is not a signing secret of Resend.";
  const body = { error: "Please check", code: "email_configuration_invalid", field: "reportKey", reason };
  serve({
    [READ_REQUEST]: { body: { ...SAVED_CONFIGURATION, provider: "resend", hasApiKey: true } },
    [SAVE_REQUEST]: { status: 400, body },
  });
  await openEmailDialog();

  await userEvent.type(screen.getByLabelText("Signing secret"), "re_wrong");
  await save();

  expect(await screen.findByText(reason)).toBeVisible();
  expect(screen.getByLabelText("Signing secret")).toHaveFocus();
});
