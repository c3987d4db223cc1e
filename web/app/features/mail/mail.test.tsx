import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { ROSA, serve, signInAs } from "~/../testing/server";
import { show } from "~/../testing/show";
import EmailDialog from "./components/email-dialog";
import { preview, signingLink } from "./model";

test.each([
  [
    "See http://127.0.0.1:8000/waivers/sign/session/abc-1\n\nBye",
    "http://127.0.0.1:8000/waivers/sign/session/abc-1",
  ],
  ["javascript:alert(1)/waivers/sign/session/abc", null],
  ["no link", null],
])("the signing link in %j is %s", (body, link) => {
  expect(signingLink(body)).toBe(link);
});

test("a preview is truncated at 300 characters", () => {
  expect(preview("x".repeat(300))).toBe("x".repeat(300));
  expect(preview("x".repeat(301))).toBe(`${"x".repeat(300)}…`);
});

const email = {
  session_id: "abc",
  recipient: "gil@example.com",
  subject: "Please sign: River day Waiver",
  body: "Hello Gil,\n\nhttp://localhost/waivers/sign/session/abc",
  kind: "message",
  provider: "service",
  error: null,
  created_at: "2026-03-04T12:00:00Z",
  sent_at: null,
};

async function openHistory() {
  signInAs(ROSA);
  show(<EmailDialog onClose={() => {}} />);
  await userEvent.click(screen.getByRole("tab", { name: "Email History" }));
  return screen.findByRole("list", { name: "Emails, newest first" });
}

test("MAIL-01 MAIL-13 the history lists emails newest first, each with its status", async () => {
  const requests = serve({
    "GET /rest/v1/emails": {
      body: [
        { ...email, id: "1", status: "kept" },
        { ...email, id: "2", status: "delivered", body: "x".repeat(400) },
        { ...email, id: "3", status: "failed", error: "Mailbox full" },
      ],
    },
  });
  const list = await openHistory();

  expect(screen.getByRole("dialog", { name: "Email Service Configuration" })).toBeVisible();
  expect(screen.getByRole("tab", { name: "Settings" })).toBeVisible();
  expect(list).toHaveClass("max-h-[400px]");
  const request = requests.find(({ path }) => path === "/rest/v1/emails");
  expect(request?.query.get("order")).toBe("created_at.desc,id.desc");
  expect(screen.getByText("Kept in local mailbox")).toBeVisible();
  expect(screen.getByText("Delivered")).toBeVisible();
  expect(screen.getByText("Failed")).toBeVisible();
  expect(screen.getByText("Mailbox full")).toBeVisible();
  expect(screen.getByText(`${"x".repeat(300)}…`)).toBeVisible();
  expect(screen.getAllByRole("link", { name: "Open signing link" })[0]).toHaveAttribute(
    "href",
    "http://localhost/waivers/sign/session/abc",
  );
});

test("a failure names its provider, and retried or cancelled emails are labelled", async () => {
  serve({
    "GET /rest/v1/emails": {
      body: [
        {
          ...email,
          id: "1",
          status: "failed",
          provider: "resend",
          error: "Failed to send email: 401 (No such key)",
        },
        { ...email, id: "2", status: "failed", provider: "sendgrid", error: "Failed to send email: 500" },
        { ...email, id: "3", status: "sending", kind: "reminder", error: "Failed to send email: 503" },
        { ...email, id: "4", status: "cancelled", kind: "reminder", error: "Not sent: signed meanwhile." },
      ],
    },
  });
  await openHistory();

  expect(screen.getByText("Resend Error:")).toBeVisible();
  expect(screen.getByText("SendGrid Error:")).toBeVisible();
  expect(screen.getByText("Will be tried again. Failed to send email: 503")).toBeVisible();
  expect(screen.getByText("Not sent")).toBeVisible();
  expect(screen.getByText("Not sent: signed meanwhile.")).toBeVisible();
  expect(screen.getAllByText("Reminder")).toHaveLength(2);
});

test("older emails are loaded page by page without gaps", async () => {
  const page = Array.from({ length: 50 }, (_, number) => ({
    ...email,
    id: `a${number}`,
    status: "delivered",
  }));
  const requests = serve({
    "GET /rest/v1/emails": ({ query }) => ({
      body: query.has("or") ? [{ ...email, id: "b", status: "delivered", subject: "The very first" }] : page,
    }),
  });
  await openHistory();

  await userEvent.click(screen.getByRole("button", { name: "Show older emails" }));

  expect(await screen.findByText("The very first")).toBeVisible();
  expect(requests.at(-1)?.query.get("or")).toBe(
    '(created_at.lt."2026-03-04T12:00:00Z",and(created_at.eq."2026-03-04T12:00:00Z",id.lt.a49))',
  );
  expect(screen.queryByRole("button", { name: "Show older emails" })).toBeNull();
});

test("after a bounce, the newest email to the address has a button that allows the address again", async () => {
  let bouncedAddresses = [{ address: "gil@example.com" }];
  const requests = serve({
    "GET /rest/v1/emails": {
      body: [
        { ...email, id: "1", status: "failed", recipient: "Gil@Example.com", error: "Not sent, because …" },
        { ...email, id: "2", status: "failed", error: "Failed to send email: 550 (No such mailbox)" },
        { ...email, id: "3", status: "failed", recipient: "bea@example.com", error: "Reported as spam" },
      ],
    },
    "GET /rest/v1/suppressed_addresses": () => ({ body: bouncedAddresses }),
    "POST /rest/v1/rpc/allow_address_again": () => {
      bouncedAddresses = [];
      return { body: true };
    },
  });
  await openHistory();

  const button = await screen.findByRole("button", { name: "Allow this address again" });
  expect(button.closest("li")).toHaveTextContent("Gil@Example.com");
  await userEvent.click(button);

  expect(await screen.findByText("You can send emails to Gil@Example.com again.")).toBeVisible();
  expect(requests.find(({ path }) => path.endsWith("allow_address_again"))?.body).toEqual({
    address: "Gil@Example.com",
  });
  expect(requests.find(({ path }) => path.endsWith("suppressed_addresses"))?.query.get("reason")).toBe(
    "eq.bounce",
  );
  await waitFor(() => expect(screen.queryByRole("button", { name: "Allow this address again" })).toBeNull());
});
