import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import {
  openEmailDialog,
  READ_REQUEST,
  SAVED_CONFIGURATION,
  SAVE_REQUEST,
  signInAsSender,
} from "~/../testing/email-configuration";
import { deferredResponse, serve, type RecordedRequest } from "~/../testing/server";
import { show } from "~/../testing/show";
import { shownToast } from "~/ui/toast-store";
import EmailDialog from "./components/email-dialog";

const TEST_REQUEST = "POST /functions/v1/send-test-email";

beforeEach(signInAsSender);

const choose = (name: RegExp) => userEvent.click(screen.getByRole("radio", { name }));
const press = (name: string) => userEvent.click(screen.getByRole("button", { name }));
const saveRequests = (requests: RecordedRequest[]) =>
  requests.filter(({ path }) => path.endsWith("save-email-configuration"));

test("MAIL-02 there are five providers, and the application service is the default", async () => {
  serve({ [READ_REQUEST]: { body: SAVED_CONFIGURATION } });

  expect(await openEmailDialog()).toBeChecked();

  const values = screen.getAllByRole("radio").map((radio) => radio.getAttribute("value"));
  expect(values).toEqual(["service", "mock", "sendgrid", "resend", "custom"]);
});

test.each([
  [/^SendGrid/, "API Key"],
  [/^Resend/, "API Key"],
  [/^Custom/, "Endpoint URL"],
])(
  "MAIL-03 saving %s without its required field shows an error and saves nothing",
  async (provider, label) => {
    const requests = serve({ [READ_REQUEST]: { body: SAVED_CONFIGURATION } });
    await openEmailDialog();

    await choose(provider);
    await press("Save Settings");

    expect(await screen.findByText("Configuration Error")).toBeVisible();
    expect(screen.getByText("Please check your email service settings")).toBeVisible();
    expect(screen.getByLabelText(new RegExp(label))).toHaveAccessibleDescription(/Please enter/);
    expect(screen.getByLabelText(new RegExp(label))).toHaveFocus();
    expect(saveRequests(requests)).toEqual([]);
  },
);

test("an error from the server is shown beside its field", async () => {
  const errorBody = {
    error: "Please check your email service settings",
    code: "email_configuration_invalid",
    field: "customEndpoint",
    reason: "The endpoint must not lead to a private or loopback address.",
  };
  serve({ [READ_REQUEST]: { body: SAVED_CONFIGURATION }, [SAVE_REQUEST]: { status: 400, body: errorBody } });
  await openEmailDialog();

  await choose(/^Custom/);
  await userEvent.type(screen.getByLabelText(/Endpoint URL/), "https://localhost/");
  await press("Save Settings");

  expect(await screen.findByText("Configuration Error")).toBeVisible();
  expect(screen.getByRole("alert")).toHaveTextContent("must not lead to a private or loopback address");
});

test("MAIL-04 the application service can be saved without further settings", async () => {
  const requests = serve({
    [READ_REQUEST]: { body: { ...SAVED_CONFIGURATION, provider: "resend", hasApiKey: true } },
    [SAVE_REQUEST]: { body: SAVED_CONFIGURATION },
  });
  await openEmailDialog();

  await choose(/^Application service/);
  await press("Save Settings");

  expect(await screen.findByText("Email settings saved")).toBeVisible();
  expect(saveRequests(requests)[0]?.body).toMatchObject({ provider: "service" });
});

test("MAIL-05 ENT-14 the API key is sent to the server once and never stored in the browser", async () => {
  const updatedConfiguration = {
    ...SAVED_CONFIGURATION,
    provider: "resend",
    hasApiKey: true,
    senderEmail: "waivers@rio.example",
  };
  const requests = serve({
    [READ_REQUEST]: { body: SAVED_CONFIGURATION },
    [SAVE_REQUEST]: { body: updatedConfiguration },
  });
  await openEmailDialog();

  await choose(/^Resend/);
  await userEvent.type(screen.getByLabelText(/API Key/), "re_secret");
  await userEvent.type(screen.getByLabelText(/From address/), "waivers@rio.example");
  await press("Save Settings");

  expect(await screen.findByText("Email settings saved")).toBeVisible();
  expect(saveRequests(requests)[0]?.body).toEqual({
    provider: "resend",
    apiKey: "re_secret",
    customEndpoint: "",
    senderEmail: "waivers@rio.example",
    reportKey: "",
  });
  expect(screen.getByLabelText(/API Key/)).toHaveValue("");
  expect(screen.getByText("A key is saved. Leave this empty to keep it.")).toBeVisible();
  expect(JSON.parse(localStorage.getItem("emailServiceConfig") ?? "")).toEqual({
    provider: "resend",
    customEndpoint: null,
    serviceConfigured: true,
    serviceProvider: "smtp",
  });
  expect(JSON.stringify({ ...localStorage })).not.toContain("re_secret");
});

test("the dialog explains the mock provider and the requests to a custom endpoint", async () => {
  serve({ [READ_REQUEST]: { body: SAVED_CONFIGURATION } });
  await openEmailDialog();

  await choose(/^Mock/);
  expect(screen.getByText(/In this mode nothing is delivered/)).toBeVisible();
  await choose(/^Custom/);
  for (const field of ["to", "subject", "body", "attachmentType"]) {
    expect(screen.getByText(field, { selector: "code" })).toBeVisible();
  }
});

test.each([
  ["delivered", "resend", "Test email sent"],
  ["sending", null, "Test email is being sent"],
  ["kept", "mock", "Test email kept, not delivered"],
])("a test email with status %s shows its outcome", async (status, provider, title) => {
  serve({
    [READ_REQUEST]: { body: SAVED_CONFIGURATION },
    [TEST_REQUEST]: { body: { id: "1", status, provider } },
  });
  await openEmailDialog();
  expect(screen.getByText("Goes to rosa@example.com.")).toBeVisible();

  await press("Send Test Email");

  expect(await screen.findByText(title)).toBeVisible();
});

test.each([
  ["resend", "Resend Error"],
  ["sendgrid", "SendGrid Error"],
  ["custom", "Email Error"],
])("ERR-30 a failure of %s is titled %s", async (provider, title) => {
  const body = { error: "Failed to send email: 503", code: "email_not_delivered", provider };
  serve({
    [READ_REQUEST]: { body: { ...SAVED_CONFIGURATION, provider, hasApiKey: true } },
    [TEST_REQUEST]: { status: 502, body },
  });
  await openEmailDialog();

  await press("Send Test Email");

  expect(await screen.findByText(title)).toBeVisible();
  expect(screen.getByText("Failed to send email: 503")).toBeVisible();
  expect(shownToast()).toMatchObject({ destructive: true });
});

test("an empty response to a test email is reported", async () => {
  serve({ [READ_REQUEST]: { body: SAVED_CONFIGURATION }, [TEST_REQUEST]: { body: {} } });
  await openEmailDialog();

  await press("Send Test Email");

  expect(await screen.findByText("No response data from email service")).toBeVisible();
});

test("only saved settings can be tested, and the page shows that a test is pending", async () => {
  const response = deferredResponse();
  serve({
    [READ_REQUEST]: { body: SAVED_CONFIGURATION },
    [TEST_REQUEST]: { body: { id: "1", status: "delivered", provider: null }, ...response },
  });
  await openEmailDialog();

  await choose(/^Mock/);
  expect(screen.getByRole("button", { name: "Send Test Email" })).toBeDisabled();
  expect(screen.getByText("Save first: the test uses what is saved.")).toBeVisible();
  await choose(/^Application service/);
  await press("Send Test Email");

  expect(screen.getByText("Sending, and waiting for the response…")).toBeVisible();
  response.respond();
  expect(await screen.findByText("Test email sent")).toBeVisible();
});

test("a failing provider is reported at the top of the dialog", async () => {
  const failingProvider = {
    provider: "resend",
    hasApiKey: true,
    failingSince: "2026-03-04T12:00:00Z",
    lastError: "Paused.",
  };
  serve({ [READ_REQUEST]: { body: { ...SAVED_CONFIGURATION, ...failingProvider } } });
  await openEmailDialog();

  expect(screen.getByRole("alert")).toHaveTextContent("Resend Error");
  expect(screen.getByRole("alert")).toHaveTextContent("Paused. No email has been sent since March 4, 2026");
});

test("settings that cannot be loaded show an error", async () => {
  serve({ [READ_REQUEST]: { status: 404, body: { error: "gone" } } });
  show(<EmailDialog onClose={() => {}} />);

  expect(await screen.findByText("Your email settings could not be loaded")).toBeVisible();
});

/** Makes requests to the given paths fail as if they were blocked. */
function blockPaths(...paths: string[]) {
  const stubbedFetch = globalThis.fetch;
  vi.stubGlobal("fetch", async (input: RequestInfo | URL, init?: RequestInit) => {
    const { pathname } = new URL(new Request(input, init).url);
    if (paths.some((path) => pathname.startsWith(path))) throw new TypeError("Failed to fetch");
    return stubbedFetch(input, init);
  });
}

test("MAIL-21 if only requests to the function are blocked, the CORS notice is shown for eight seconds", async () => {
  serve({ [READ_REQUEST]: { body: SAVED_CONFIGURATION }, "GET /auth/v1/health": { body: {} } });
  await openEmailDialog();
  blockPaths("/functions/v1/send-test-email");

  await press("Send Test Email");

  expect(await screen.findByText("CORS Limitation")).toBeVisible();
  await screen.findByText("Goes to rosa@example.com.");
  expect(shownToast()).toMatchObject({ title: "CORS Limitation", duration: 8_000 });
});

test("MAIL-21 an unreachable server is not reported as a blocked request", async () => {
  serve({ [READ_REQUEST]: { body: SAVED_CONFIGURATION } });
  await openEmailDialog();
  blockPaths("/functions/v1/send-test-email", "/auth/v1/health");

  await press("Send Test Email");

  expect(await screen.findByText("The server could not be reached.")).toBeVisible();
  expect(screen.queryByText("CORS Limitation")).toBeNull();
});
