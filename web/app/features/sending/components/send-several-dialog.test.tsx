import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { ROSA, serve, signInAs, type RecordedRequest } from "~/../testing/server";
import { show } from "~/../testing/show";
import SendSeveralDialog from "./send-several-dialog";

const template = { id: "tpl-1", name: "River day", content: "I agree." };
const isSendEmailRequest = ({ path }: RecordedRequest) => path.endsWith("send-email");

async function send(list: string) {
  signInAs(ROSA);
  const onClose = vi.fn();
  show(<SendSeveralDialog template={template} onClose={onClose} />);
  await userEvent.click(screen.getByLabelText(/Recipients/));
  await userEvent.paste(list);
  await userEvent.click(screen.getByRole("button", { name: "Send to all" }));
  return onClose;
}

test("each recipient gets a session, a record and an email, and a failure is reported", async () => {
  const requests = serve({
    "POST /rest/v1/waiver_sessions": { status: 201, body: { id: "abc" } },
    "POST /rest/v1/sent_waivers": { status: 201 },
    "POST /rest/v1/rpc/note_failed_sending": { status: 204 },
    "POST /functions/v1/send-email": ({ body }) =>
      JSON.stringify(body).includes("noor@")
        ? { status: 502, body: { error: "Mailbox full" } }
        : { body: { id: "m1", status: "delivered" } },
  });

  const onClose = await send("Gil Moreau, gil@example.com\nNoor Haddad, noor@example.com");

  expect(await screen.findByText("1 of 2 people could not be reached")).toBeVisible();
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(requests.filter(isSendEmailRequest).map(({ body }) => body)).toMatchObject([
    { to: "gil@example.com", body: expect.stringContaining("Hi Gil,") },
    { to: "noor@example.com", body: expect.stringContaining("Hi Noor,") },
  ]);
});

test("an invalid line is shown, and nothing is sent", async () => {
  const requests = serve({});

  await send("Gil Moreau, gil@example.com\nNoor noor@example.com");

  expect(await screen.findByRole("alert")).toHaveTextContent(
    "Please give each person a first name, a last name and an email: Noor noor@example.com",
  );
  expect(requests).toEqual([]);
});
