import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { showToRosa } from "~/../testing/company";
import { ROSA, serve, signInAs } from "~/../testing/server";
import { show } from "~/../testing/show";
import { CompanySettingsCard } from "~/features/company-settings/components/company-settings-card";
import routes from "~/routes";
import Settings from "./settings";

const ROW = {
  time_zone: "America/Los_Angeles",
  link_days: 14,
  reminders: true,
  reminder_first_days: 1,
  reminder_every_days: 4,
  reminder_limit: 2,
  reminders_by_text: false,
  sender_name: "The Rio crew",
  reply_to: "office@rio.example",
};

function open(responses: Parameters<typeof serve>[0] = {}, url = "/dashboard/settings") {
  serve({ "GET /rest/v1/companies": { body: ROW }, ...responses });
  showToRosa(<Settings />, url);
}

const group = (name: string) => screen.getByRole("region", { name });
const links = (name: string) => within(group(name)).getAllByRole("link");

test("SHELL-09 APP-33 the settings are listed in groups, and each entry shows what is saved", async () => {
  open();

  expect(await screen.findByText("Los Angeles (Pacific Time)")).toBeVisible();
  expect(screen.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent)).toEqual([
    "Company",
    "Sending",
    "Reminders",
    "Signing",
    "Security",
    "Billing & Payment",
    "Data",
    "Connections",
    "Your account",
  ]);
  expect(group("Company")).toHaveTextContent("Rio Rafting");
  expect(group("Sending")).toHaveTextContent("The Rio crew, replies to office@rio.example");
  expect(group("Sending")).toHaveTextContent("A link works for 14 days.");
  expect(group("Reminders")).toHaveTextContent("After 1 day, then every 4 days, at most 2 times.");
});

test.each([
  [{ reminders: false }, "Only when you press Send Reminders."],
  [{ reminder_limit: 1 }, "After 1 day, once."],
  [{ sender_name: null, reply_to: null }, "The name of your company, replies to the sender’s address"],
])("the index describes the settings %j", async (changes, text) => {
  open({ "GET /rest/v1/companies": { body: { ...ROW, ...changes } } });

  expect(await screen.findByText(text)).toBeVisible();
});

test("APP-33 without the saved values each entry says what it is for", async () => {
  open({ "GET /rest/v1/companies": { status: 404, body: { code: "none", message: "none" } } });

  expect(await screen.findByText("For reminders and the dates in your emails.")).toBeVisible();
  expect(group("Sending")).toHaveTextContent("How long guests can use a link.");
});

test("APP-33 ROUTE-20 every entry leads to a page that exists", () => {
  open();

  const targets = screen
    .getAllByRole("link")
    .map((link) => new URL(link.getAttribute("href") ?? "", "http://cairn.example").pathname.slice(1));
  expect(targets).toHaveLength(16);
  const routePaths = routes.flatMap((route) => [route, ...(route.children ?? [])]).map(({ path }) => path);
  expect(targets.filter((path) => !routePaths.includes(path))).toEqual([]);
  expect(links("Billing & Payment")[0]).toHaveAttribute("href", "/dashboard/settings/billing");
});

test("APP-33 the email settings open on the page, with a way back", async () => {
  open({ "POST /functions/v1/email-configuration": { status: 404, body: {} } });

  await userEvent.click(within(group("Sending")).getByRole("link", { name: /^Email service/ }));

  expect(await screen.findByRole("heading", { name: "Email Service Configuration", level: 1 })).toBeVisible();
  expect(await screen.findByRole("tab", { name: "Email History" })).toBeVisible();
  await userEvent.click(screen.getByRole("link", { name: "Settings" }));
  expect(await screen.findByRole("heading", { name: "Settings", level: 1 })).toBeVisible();
});

test.each([
  ["time-zone", "Time zone"],
  ["link-days", "Days until a link expires"],
  ["reminders", "Remind guests who have not signed yet"],
  ["sender", "Sender name"],
])("APP-33 the link to #%s scrolls to the field and focuses it", async (hash, label) => {
  const scrolledTo = vi.fn();
  vi.spyOn(Element.prototype, "scrollIntoView").mockImplementation(function (this: Element) {
    scrolledTo(this.id);
  });
  serve({ "GET /rest/v1/companies": { body: ROW } });
  signInAs(ROSA);
  show(<CompanySettingsCard companyId="c1" />, `/here?#${hash}`);

  expect(await screen.findByLabelText(label)).toHaveFocus();
  expect(scrolledTo).toHaveBeenCalledExactlyOnceWith(hash);
});
