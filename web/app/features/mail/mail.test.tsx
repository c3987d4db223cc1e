import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { ROSA, serve, signedIn } from "~/../testing/server";
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
])("in %j the signing link is %s", (body, link) => {
  expect(signingLink(body)).toBe(link);
});

test("a preview is cut at 300 characters", () => {
  expect(preview("x".repeat(300))).toBe("x".repeat(300));
  expect(preview("x".repeat(301))).toBe(`${"x".repeat(300)}…`);
});

const email = {
  session_id: "abc",
  recipient: "gil@example.com",
  subject: "Please sign: River day Waiver",
  body: "Hello Gil,\n\nhttp://localhost/waivers/sign/session/abc",
  error: null,
  created_at: "2026-03-04T12:00:00Z",
  sent_at: null,
};

test("MAIL-01 MAIL-13 the history lists mails newest first, each with what became of it", async () => {
  signedIn(ROSA);
  const seen = serve({
    "GET /rest/v1/emails": {
      body: [
        { ...email, id: "1", status: "kept" },
        { ...email, id: "2", status: "delivered", body: "x".repeat(400) },
        { ...email, id: "3", status: "failed", error: "Mailbox full" },
      ],
    },
  });
  show(<EmailDialog onClose={() => {}} />);
  expect(screen.getByRole("dialog", { name: "Email Service Configuration" })).toBeVisible();
  expect(screen.getByRole("tab", { name: "Settings" })).toHaveAttribute("aria-selected", "true");

  await userEvent.click(screen.getByRole("tab", { name: "Email History" }));

  const list = await screen.findByRole("list", { name: "Emails, newest first" });
  expect(list).toHaveClass("max-h-[400px]");
  expect(seen[0]?.query.get("order")).toBe("created_at.desc");
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
