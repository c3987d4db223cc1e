import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { ROSA, serve, signInAs } from "~/../testing/server";
import { show } from "~/../testing/show";
import { CompanySettingsCard } from "./components/company-settings-card";
import { toSettings, describeReminders } from "./model";
import { timeZones, zoneName } from "./time-zones";

const ROW = {
  time_zone: "America/Denver",
  link_days: 30,
  reminders: true,
  reminder_first_days: 3,
  reminder_every_days: 3,
  reminder_limit: 3,
  reminders_by_text: false,
  sender_name: null,
  reply_to: null,
};
const SAVED_SETTINGS = { "GET /rest/v1/companies": { body: ROW } };

async function open() {
  signInAs(ROSA);
  show(<CompanySettingsCard companyId="c1" />);
  return screen.findByLabelText("Time zone");
}

test.each([
  [{}, "The first reminder is sent 3 days after the waiver was sent, then one every 3 days, 3 in all, until"],
  [
    { limit: 1, firstDays: 1 },
    "The first reminder is sent 1 day after the waiver was sent, and it is the only one,",
  ],
  [{ reminders: false }, "Reminders are sent only when you press Send Reminders."],
  [{ linkDays: 2 }, "No reminder is sent: the link expires after 2 days."],
])("the page describes the reminder settings %j", (changes, text) => {
  expect(describeReminders({ ...toSettings(ROW), ...changes })).toContain(text);
});

test("the time zones include the saved one and have no duplicates", () => {
  const zones = timeZones("Nowhere/Atlantis");

  expect(zones[0]).toBe("UTC");
  expect(zones).toContain("Nowhere/Atlantis");
  expect(new Set(zones).size).toBe(zones.length);
});

const SUMMER = new Date("2026-07-01T12:00:00Z");

const ZONE_NAMES = {
  "America/Denver": "Denver (Mountain Time)",
  "Europe/Zurich": "Zurich (Central European Time)",
  "America/Argentina/Buenos_Aires": "Buenos Aires, Argentina (Argentina Standard Time)",
  "America/Los_Angeles": "Los Angeles (Pacific Time)",
  "Asia/Vladivostok": "Vladivostok",
  "Etc/GMT+5": "GMT+5",
  UTC: "UTC",
  "Nowhere/Atlantis": "Atlantis",
};

test.each(Object.entries(ZONE_NAMES))("APP-44 the time zone %s is called %s", (zone, name) => {
  expect(zoneName(zone, SUMMER)).toBe(name);
});

test("APP-44 the time zones are listed by place, below the part of the world", async () => {
  serve(SAVED_SETTINGS);
  const field = await open();

  const america = within(within(field).getByRole("group", { name: "America" }));
  const places = america.getAllByRole("option").map(({ textContent }) => textContent);
  expect(places).toContain("Los Angeles");
  expect(places).toEqual(places.toSorted((one, other) => one.localeCompare(other)));
  expect(within(field).getAllByRole("option")[0]).toHaveTextContent("UTC");
  expect(field).toHaveAccessibleDescription(
    /^It is \d+:\d\d [AP]M in Denver \(Mountain Time\)\. Reminders are sent/,
  );
});

test("APP-44 a saved zone that the browser does not know can be kept", async () => {
  serve({ "GET /rest/v1/companies": { body: { ...ROW, time_zone: "Nowhere/Atlantis" } } });
  const field = await open();

  expect(field).toHaveValue("Nowhere/Atlantis");
  expect(field).toHaveDisplayValue("Atlantis");
  expect(field).toHaveAccessibleDescription("Reminders are sent in this time zone.");
});

test("the saved settings are shown, and a change saves all of them", async () => {
  const requests = serve({ ...SAVED_SETTINGS, "PATCH /rest/v1/companies": { status: 204 } });
  expect(await open()).toHaveValue("America/Denver");
  expect(screen.getByRole("button", { name: "Save Company Settings" })).toBeDisabled();

  await userEvent.selectOptions(screen.getByLabelText("Time zone"), "Europe/Zurich");
  await retype("Days until a link expires", "14");
  await retype("Then every (days)", "5");
  await retype("Sender name", "The Rio crew");
  await retype("Reply-to address", "office@rio.example");
  expect(screen.getByText(/then one every 5 days/)).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Save Company Settings" }));

  expect(await screen.findByText("Company settings saved")).toBeVisible();
  expect(screen.getByRole("button", { name: "Save Company Settings" })).toBeDisabled();
  const update = requests.find(({ method }) => method === "PATCH");
  expect(update?.query.get("id")).toBe("eq.c1");
  expect(update?.body).toEqual({
    ...ROW,
    time_zone: "Europe/Zurich",
    link_days: 14,
    reminder_every_days: 5,
    sender_name: "The Rio crew",
    reply_to: "office@rio.example",
  });
});

async function retype(label: string, text: string) {
  await userEvent.clear(screen.getByLabelText(label));
  if (text) await userEvent.type(screen.getByLabelText(label), text);
}

test.each([
  ["Days until a link expires", "0", "Please enter at least 1"],
  ["Days until a link expires", "", "Please enter a number from 1 to 365"],
  ["First after (days)", "61", "Please enter at most 60"],
  ["Then every (days)", "1.5", "Please enter a whole number"],
  ["At most (times)", "11", "Please enter at most 10"],
  ["Reply-to address", "unknown", "Please enter a complete email address"],
])("%s cannot be %j", async (label, text, message) => {
  const requests = serve(SAVED_SETTINGS);
  await open();

  await retype(label, text);
  await userEvent.click(screen.getByRole("button", { name: "Save Company Settings" }));

  expect(await screen.findByText(message)).toBeVisible();
  expect(screen.getByLabelText(label)).toHaveAccessibleDescription(expect.stringContaining(message));
  expect(requests.some(({ method }) => method === "PATCH")).toBe(false);
});

test("if reminders are switched off, their settings are hidden", async () => {
  serve(SAVED_SETTINGS);
  await open();

  await userEvent.click(screen.getByRole("checkbox", { name: "Remind guests who have not signed yet" }));

  expect(screen.queryByLabelText("At most (times)")).toBeNull();
  expect(screen.getByText("Reminders are sent only when you press Send Reminders.")).toBeVisible();
});

test("PLAN-09 reminders by text message can be enabled if there is an SMS gateway", async () => {
  const gateway = { "POST /functions/v1/text-messages": { body: { offered: true } } };
  const requests = serve({ ...SAVED_SETTINGS, ...gateway, "PATCH /rest/v1/companies": { status: 204 } });
  await open();

  await userEvent.click(await screen.findByRole("checkbox", { name: /Remind by text message too/ }));
  await userEvent.click(screen.getByRole("button", { name: "Save Company Settings" }));

  expect(await screen.findByText("Company settings saved")).toBeVisible();
  expect(requests.find(({ method }) => method === "PATCH")?.body).toEqual({
    ...ROW,
    reminders_by_text: true,
  });
});

test("PLAN-09 without an SMS gateway there is no option for text messages", async () => {
  serve(SAVED_SETTINGS);
  await open();

  expect(screen.getByLabelText("At most (times)")).toBeVisible();
  expect(screen.queryByRole("checkbox", { name: /text message/ })).toBeNull();
});

test("an error from the server is shown, and the typed values stay", async () => {
  const refusal = {
    status: 400,
    body: {
      code: "PT400",
      message: "x",
      details: '{"code": "time_zone_unknown", "parameters": {"time_zone": "Europe/Zurich"}}',
    },
  };
  serve({ ...SAVED_SETTINGS, "PATCH /rest/v1/companies": refusal });
  await open();

  await userEvent.selectOptions(screen.getByLabelText("Time zone"), "Europe/Zurich");
  await userEvent.click(screen.getByRole("button", { name: "Save Company Settings" }));

  expect(await screen.findByText("There is no time zone called Europe/Zurich.")).toBeVisible();
  expect(screen.getByLabelText("Time zone")).toHaveValue("Europe/Zurich");
});

test("settings that cannot be loaded show an error", async () => {
  signInAs(ROSA);
  serve({ "GET /rest/v1/companies": { status: 404, body: { code: "none", message: "none" } } });
  show(<CompanySettingsCard companyId="c1" />);

  expect(await screen.findByText("Your company settings could not be loaded")).toBeVisible();
});
