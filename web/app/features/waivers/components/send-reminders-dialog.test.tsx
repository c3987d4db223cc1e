import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { deferredResponse, serve, type RecordedRequest } from "~/../testing/server";
import { show } from "~/../testing/show";
import SendRemindersDialog from "./send-reminders-dialog";

const PREVIEW = "POST /rest/v1/rpc/reminder_preview";
const SEND = "POST /rest/v1/rpc/send_reminders";
const THREE_DAYS_AGO = new Date(Date.now() - 3 * 86_400_000 - 60_000).toISOString();

const ana = {
  session_id: "aaaaaaaa-0000-4000-8000-000000000001",
  name: "Ana Ortiz",
  email: "ana@example.com",
  template_name: "River day",
  obstacle: null as string | null,
  written_at: THREE_DAYS_AGO as string | null,
  group_count: 2,
};
const bo = { ...ana, session_id: "b", name: "Bo Lind", email: "bo@example.com", written_at: null };
const leftOut = (name: string, obstacle: string, group_count = 1) => ({
  ...ana,
  session_id: name,
  name,
  obstacle,
  group_count,
});

const body = (requests: RecordedRequest[], name: string) =>
  requests.filter(({ path }) => path.endsWith(name)).at(-1)?.body;

const guestsOf = (list: string | RegExp) =>
  within(screen.getByRole("list", { name: list }))
    .getAllByRole("listitem")
    .map((item) => item.textContent);

test("DASH-02 APP-14 the dialog lists whom it reminds, when each was last written to, and who is left out and why", async () => {
  serve({
    [PREVIEW]: {
      body: [
        ana,
        bo,
        leftOut("Bounced Bea", "bounce"),
        leftOut("Complained Cy", "complaint"),
        leftOut("Expired Ed", "expired"),
        leftOut("Recent Ria", "recent"),
        leftOut("Stopped Sam", "stopped"),
        leftOut("New Nic", "a reason of a newer server"),
      ],
    },
  });
  show(<SendRemindersDialog onClose={() => {}} />);

  expect(await screen.findByText("2 emails with the link to sign are sent.")).toBeVisible();
  expect(guestsOf("Gets a reminder (2)")).toEqual([
    "Ana Ortizana@example.com · River dayLast message 3 days ago",
    "Bo Lindbo@example.com · River dayNot written to yet",
  ]);
  expect(screen.getByRole("heading", { name: "Left out (6)" })).toBeVisible();
  for (const [reason, name] of [
    [/Reminded less than an hour ago/, "Recent Ria"],
    [/Has stopped your reminders/, "Stopped Sam"],
    [/An earlier email came back/, "Bounced Bea"],
    [/Reported one of your emails as spam/, "Complained Cy"],
    [/The link has expired/, "Expired Ed"],
    [/Cannot be reminded now/, "New Nic"],
  ] as const)
    expect(guestsOf(reason)[0]).toContain(name);
  expect(screen.getByRole("link", { name: "Expired Ed" })).toHaveAttribute(
    "href",
    "/dashboard/waiver-management/Expired%20Ed",
  );
});

test("DASH-02 nothing is sent before the user confirms, and then exactly the listed guests are reminded", async () => {
  const onClose = vi.fn<() => void>();
  const requests = serve({ [PREVIEW]: { body: [ana, bo, leftOut("Late", "expired")] }, [SEND]: { body: 2 } });
  show(<SendRemindersDialog onClose={onClose} />);

  const button = await screen.findByRole("button", { name: "Send 2 reminders" });
  expect(requests.some(({ path }) => path.endsWith("send_reminders"))).toBe(false);
  await userEvent.click(button);

  expect(await screen.findByText("Sending reminders")).toBeVisible();
  expect(await screen.findByText("2 reminders are queued.")).toBeVisible();
  expect(body(requests, "send_reminders")).toEqual({ session_ids: [ana.session_id, "b"] });
  expect(onClose).toHaveBeenCalledOnce();
});

test("the dialog can be cancelled, and nothing is sent", async () => {
  const onClose = vi.fn<() => void>();
  const requests = serve({ [PREVIEW]: { body: [{ ...ana, group_count: 1 }] } });
  show(<SendRemindersDialog onClose={onClose} />);

  expect(await screen.findByRole("button", { name: "Send 1 reminder" })).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Cancel" }));

  expect(onClose).toHaveBeenCalledOnce();
  expect(requests.map(({ path }) => path)).toEqual(["/rest/v1/rpc/reminder_preview"]);
});

test("a long list shows its length, more of it can be shown, and everyone in it is reminded", async () => {
  const rows = Array.from({ length: 100 }, (_, number) => ({
    ...ana,
    session_id: `s${number}`,
    name: `Guest ${number}`,
    group_count: 1234,
  }));
  const requests = serve({ [PREVIEW]: { body: rows }, [SEND]: { body: 1234 } });
  show(<SendRemindersDialog onClose={() => {}} />);

  expect(await screen.findByText("Gets a reminder")).toHaveTextContent("(1,234)");
  expect(screen.getByText("and 1,134 more")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Show more" }));
  await waitFor(() => expect(body(requests, "reminder_preview")).toEqual({ up_to: 1000 }));
  await waitFor(() => expect(screen.queryByRole("button", { name: "Show more" })).toBeNull());
  await userEvent.click(screen.getByRole("button", { name: "Send 1,234 reminders" }));

  expect(await screen.findByText("1234 reminders are queued.")).toBeVisible();
  expect(body(requests, "send_reminders")).toEqual({});
});

test("if no one waits, the dialog says so and sends nothing", async () => {
  serve({ [PREVIEW]: { body: [] } });
  show(<SendRemindersDialog onClose={() => {}} />);

  expect(await screen.findByRole("heading", { name: "No one to remind" })).toBeVisible();
  expect(screen.queryByRole("button", { name: /^Send/ })).toBeNull();
});

test("if everyone is left out, the dialog says why and sends nothing", async () => {
  serve({ [PREVIEW]: { body: [leftOut("Late", "expired")] } });
  show(<SendRemindersDialog onClose={() => {}} />);

  expect(await screen.findByText("No one can be reminded now.")).toBeVisible();
  expect(guestsOf(/The link has expired/)).toHaveLength(1);
  expect(screen.queryByRole("button", { name: /^Send/ })).toBeNull();
});

test("the dialog says that it is loading, and offers to try again if that fails", async () => {
  const first = deferredResponse();
  let isBroken = true;
  serve({
    [PREVIEW]: () =>
      isBroken ? { status: 404, body: { message: "no" }, wait: first.wait } : { body: [ana, bo] },
  });
  show(<SendRemindersDialog onClose={() => {}} />);
  expect(screen.getByRole("status")).toHaveTextContent("Looking for who has not signed yet.");

  first.respond();
  expect(await screen.findByRole("heading", { name: "The guests could not be loaded" })).toBeVisible();
  isBroken = false;
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));

  expect(await screen.findByRole("button", { name: "Send 2 reminders" })).toBeVisible();
});

test("if the server refuses, the dialog stays open and says why", async () => {
  const onClose = vi.fn<() => void>();
  serve({
    [PREVIEW]: { body: [ana, bo] },
    [SEND]: { status: 403, body: { message: "Your company is suspended." } },
  });
  show(<SendRemindersDialog onClose={onClose} />);

  await userEvent.click(await screen.findByRole("button", { name: "Send 2 reminders" }));

  const dialog = screen.getByRole("dialog", { name: "Send Reminders" });
  expect(await within(dialog).findByText("Your company is suspended.")).toBeVisible();
  expect(onClose).not.toHaveBeenCalled();
});
