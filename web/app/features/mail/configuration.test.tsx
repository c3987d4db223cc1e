import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { deferredResponse, ROSA, serve, signInAs, type RecordedRequest } from "~/../testing/server";
import { show } from "~/../testing/show";
import { shownToast } from "~/ui/toast-store";
import EmailDialog from "./components/email-dialog";

const SAVED = {
  provider: "service",
  hasApiKey: false,
  customEndpoint: null,
  senderEmail: null,
  failingSince: null,
  lastError: null,
  serviceConfigured: true,
  serviceProvider: "smtp",
  serviceSender: "waivers@localhost",
};
const READ = "POST /functions/v1/email-configuration";
const SAVE = "POST /functions/v1/save-email-configuration";
const TEST = "POST /functions/v1/send-test-email";

beforeEach(() => {
  signInAs(ROSA);
  localStorage.setItem("user", JSON.stringify({ email: "rosa@example.com" }));
});

async function open() {
  show(<EmailDialog onClose={() => {}} />);
  return screen.findByRole("radio", { name: /Application service/ });
}

const choose = (name: RegExp) => userEvent.click(screen.getByRole("radio", { name }));
const press = (name: string) => userEvent.click(screen.getByRole("button", { name }));
const saves = (seen: RecordedRequest[]) =>
  seen.filter(({ path }) => path.endsWith("save-email-configuration"));

test("MAIL-02 there are five ways to send, and the application service is the default", async () => {
  serve({ [READ]: { body: SAVED } });

  expect(await open()).toBeChecked();

  const values = screen.getAllByRole("radio").map((radio) => radio.getAttribute("value"));
  expect(values).toEqual(["service", "mock", "sendgrid", "resend", "custom"]);
});

test.each([
  [/^SendGrid/, "API Key"],
  [/^Resend/, "API Key"],
  [/^Custom/, "Endpoint URL"],
])("MAIL-03 saving %s without what it needs shows the error and saves nothing", async (provider, label) => {
  const seen = serve({ [READ]: { body: SAVED } });
  await open();

  await choose(provider);
  await press("Save Settings");

  expect(await screen.findByText("Configuration Error")).toBeVisible();
  expect(screen.getByText("Please check your email service settings")).toBeVisible();
  expect(screen.getByLabelText(new RegExp(label))).toHaveAccessibleDescription(/Please enter/);
  expect(screen.getByLabelText(new RegExp(label))).toHaveFocus();
  expect(saves(seen)).toEqual([]);
});

test("what the server finds wrong is shown at its field", async () => {
  const refused = {
    error: "Please check your email service settings",
    code: "email_configuration_invalid",
    field: "customEndpoint",
    reason: "The endpoint must not lead to a private or loopback address.",
  };
  serve({ [READ]: { body: SAVED }, [SAVE]: { status: 400, body: refused } });
  await open();

  await choose(/^Custom/);
  await userEvent.type(screen.getByLabelText(/Endpoint URL/), "https://localhost/");
  await press("Save Settings");

  expect(await screen.findByText("Configuration Error")).toBeVisible();
  expect(screen.getByRole("alert")).toHaveTextContent("must not lead to a private or loopback address");
});

test("MAIL-04 the application service always saves", async () => {
  const seen = serve({
    [READ]: { body: { ...SAVED, provider: "resend", hasApiKey: true } },
    [SAVE]: { body: SAVED },
  });
  await open();

  await choose(/^Application service/);
  await press("Save Settings");

  expect(await screen.findByText("Email settings saved")).toBeVisible();
  expect(saves(seen)[0]?.body).toMatchObject({ provider: "service" });
});

test("MAIL-05 ENT-14 the key goes to the server once, and the browser keeps all but the key", async () => {
  const after = { ...SAVED, provider: "resend", hasApiKey: true, senderEmail: "trips@rio.example" };
  const seen = serve({ [READ]: { body: SAVED }, [SAVE]: { body: after } });
  await open();

  await choose(/^Resend/);
  await userEvent.type(screen.getByLabelText(/API Key/), "re_secret");
  await userEvent.type(screen.getByLabelText(/From address/), "trips@rio.example");
  await press("Save Settings");

  expect(await screen.findByText("Email settings saved")).toBeVisible();
  expect(saves(seen)[0]?.body).toEqual({
    provider: "resend",
    apiKey: "re_secret",
    customEndpoint: "",
    senderEmail: "trips@rio.example",
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

test("the dialog says that mock delivers nothing, and what an endpoint of one's own gets", async () => {
  serve({ [READ]: { body: SAVED } });
  await open();

  await choose(/^Mock/);
  expect(screen.getByText(/In this mode nothing is delivered/)).toBeVisible();
  await choose(/^Custom/);
  for (const word of ["to", "subject", "body", "attachmentType"]) {
    expect(screen.getByText(word, { selector: "code" })).toBeVisible();
  }
});

test.each([
  ["delivered", "resend", "Test email sent"],
  ["sending", null, "Test email is being sent"],
  ["kept", "mock", "Test email kept, not delivered"],
])("a test that is %s says so", async (status, provider, title) => {
  serve({ [READ]: { body: SAVED }, [TEST]: { body: { id: "1", status, provider } } });
  await open();
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
  serve({ [READ]: { body: { ...SAVED, provider, hasApiKey: true } }, [TEST]: { status: 502, body } });
  await open();

  await press("Send Test Email");

  expect(await screen.findByText(title)).toBeVisible();
  expect(screen.getByText("Failed to send email: 503")).toBeVisible();
  expect(shownToast()).toMatchObject({ destructive: true });
});

test("an empty answer is told as one", async () => {
  serve({ [READ]: { body: SAVED }, [TEST]: { body: {} } });
  await open();

  await press("Send Test Email");

  expect(await screen.findByText("No response data from email service")).toBeVisible();
});

test("only what is saved can be tested, and one sees that the answer is being waited for", async () => {
  const answer = deferredResponse();
  serve({
    [READ]: { body: SAVED },
    [TEST]: { body: { id: "1", status: "delivered", provider: null }, ...answer },
  });
  await open();

  await choose(/^Mock/);
  expect(screen.getByRole("button", { name: "Send Test Email" })).toBeDisabled();
  expect(screen.getByText("Save first: the test uses what is saved.")).toBeVisible();
  await choose(/^Application service/);
  await press("Send Test Email");

  expect(screen.getByText("Sending, and waiting for the answer…")).toBeVisible();
  answer.respond();
  expect(await screen.findByText("Test email sent")).toBeVisible();
});

test("a provider that does not work is the first thing to see", async () => {
  const failing = {
    provider: "resend",
    hasApiKey: true,
    failingSince: "2026-03-04T12:00:00Z",
    lastError: "Paused.",
  };
  serve({ [READ]: { body: { ...SAVED, ...failing } } });
  await open();

  expect(screen.getByRole("alert")).toHaveTextContent("Resend Error");
  expect(screen.getByRole("alert")).toHaveTextContent("Paused. No email has gone out since March 4, 2026");
});

test("settings that cannot be loaded say so and can be asked for again", async () => {
  serve({ [READ]: { status: 404, body: { error: "gone" } } });
  show(<EmailDialog onClose={() => {}} />);

  expect(await screen.findByText("Your email settings could not be loaded")).toBeVisible();
});

/** The network, in which some addresses cannot be reached. */
function unreachable(...paths: string[]) {
  const ask = globalThis.fetch;
  vi.stubGlobal("fetch", async (input: RequestInfo | URL, init?: RequestInit) => {
    const { pathname } = new URL(new Request(input, init).url);
    if (paths.some((path) => pathname.startsWith(path))) throw new TypeError("Failed to fetch");
    return ask(input, init);
  });
}

test("MAIL-21 the notice appears for eight seconds when only the function address is blocked", async () => {
  serve({ [READ]: { body: SAVED }, "GET /auth/v1/health": { body: {} } });
  await open();
  unreachable("/functions/v1/send-test-email");

  await press("Send Test Email");

  expect(await screen.findByText("CORS Limitation")).toBeVisible();
  await screen.findByText("Goes to rosa@example.com.");
  expect(shownToast()).toMatchObject({ title: "CORS Limitation", duration: 8_000 });
});

test("MAIL-21 a server that is not there is no limitation of the browser's", async () => {
  serve({ [READ]: { body: SAVED } });
  await open();
  unreachable("/functions/v1/send-test-email", "/auth/v1/health");

  await press("Send Test Email");

  expect(await screen.findByText("The server could not be reached.")).toBeVisible();
  expect(screen.queryByText("CORS Limitation")).toBeNull();
});
