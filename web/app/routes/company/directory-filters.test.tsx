import { act, fireEvent, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { showToRosa } from "~/../testing/company";
import { DIRECTORY_RESPONSES, signedEntry } from "~/../testing/directory-entries";
import { goOffline, goOnline } from "~/../testing/network";
import { serve } from "~/../testing/server";
import { TEMPLATE_CHOICE_ROWS } from "~/../testing/template-choices";
import { stubWindow } from "~/../testing/window";
import Directory from "./directory";

beforeEach(() => stubWindow());

const DIRECTORY = "POST /rest/v1/rpc/waiver_directory";
const PATH = "/dashboard/waiver-management";
const responses = {
  ...DIRECTORY_RESPONSES,
  "GET /rest/v1/waiver_templates": { body: TEMPLATE_CHOICE_ROWS },
};

const lastFilters = (requests: ReturnType<typeof serve>, rpc: string) =>
  requests.filter(({ path }) => path.endsWith(`/${rpc}`)).at(-1)?.body;

const isUnfiltered = (body: unknown) => typeof body === "object" && body !== null && !("flag" in body);

const labelsOf = (select: HTMLElement) =>
  within(select)
    .getAllByRole("option")
    .map(({ textContent }) => textContent);

test("FORM-42 the filters are opened with the keyboard, sent to the server and stored in the URL", async () => {
  const requests = serve(responses);
  const router = showToRosa(<Directory />, PATH);
  await screen.findByText("gil@example.com");
  expect(requests.filter(({ path }) => path.endsWith("/waiver_templates"))).toEqual([]);

  screen.getByRole("button", { name: "Filters", expanded: false }).focus();
  await userEvent.keyboard("{Enter}");
  const flag = await screen.findByRole("combobox", { name: "Flag" });
  expect(labelsOf(flag)).toEqual([
    "With and without flags",
    "Any flag",
    "Asthma",
    "Cannot swim",
    "No helmet",
  ]);
  expect(screen.queryByRole("combobox", { name: "Question" })).toBeNull();
  await userEvent.selectOptions(flag, "Any flag");
  expect(router.state.location.search).toBe("?flag=");
  expect(await screen.findByRole("button", { name: "Filters (1)", expanded: true })).toBeVisible();
  await userEvent.selectOptions(flag, "Asthma");
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Template" }), "River trip");
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Question" }), "How well do you swim?");
  const answer = screen.getByRole("combobox", { name: "Answer" });
  expect(answer).toHaveDisplayValue("Well");
  await userEvent.selectOptions(answer, "Not well");

  expect(router.state.location.search).toBe("?flag=Asthma&template=river&question=swims&answer=badly");
  const filters = {
    term: "",
    state: "all",
    template: "river",
    flag: "Asthma",
    question: "swims",
    answer: "badly",
  };
  expect(lastFilters(requests, "waiver_directory")).toEqual({ ...filters, sorted: "newest", up_to: 100 });
  expect(lastFilters(requests, "count_waiver_directory")).toEqual(filters);

  // Another template has other questions.
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Template" }), "Picnic");
  expect(router.state.location.search).toBe("?flag=Asthma&template=plain");
  expect(screen.queryByRole("combobox", { name: "Question" })).toBeNull();
  await userEvent.selectOptions(flag, "With and without flags");
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Template" }), "All templates");
  expect(router.state.location.search).toBe("");
});

test("FORM-42 filters in the URL are shown, and a list without results says which ones are on", async () => {
  serve({ ...responses, [DIRECTORY]: ({ body }) => ({ body: isUnfiltered(body) ? [signedEntry] : [] }) });
  const router = showToRosa(
    <Directory />,
    `${PATH}?status=signed&flag=Asthma&template=river&question=asthma&answer=true`,
  );

  expect(await screen.findByText("No waivers match your search criteria.")).toBeVisible();
  expect(
    await screen.findByText(
      "Active filters: status Signed, template River trip, flag Asthma, \u201CDo you have asthma?\u201D is Yes.",
    ),
  ).toBeVisible();
  expect(await screen.findByRole("combobox", { name: "Flag" })).toHaveDisplayValue("Asthma");
  expect(screen.getByRole("combobox", { name: "Question" })).toHaveDisplayValue("Do you have asthma?");
  expect(screen.getByRole("combobox", { name: "Answer" })).toHaveDisplayValue("Yes");

  await userEvent.click(screen.getByRole("button", { name: "Show all waivers" }));
  expect(await screen.findByText("gil@example.com")).toBeVisible();
  expect(router.state.location.search).toBe("");
});

test("FORM-42 all filters are cleared at once, and the search stays", async () => {
  serve(responses);
  const router = showToRosa(<Directory />, `${PATH}?q=gil&flag=&template=river&question=asthma&answer=true`);
  await screen.findByText("gil@example.com");

  await userEvent.click(screen.getByRole("button", { name: "Clear filters" }));

  expect(router.state.location.search).toBe("?q=gil");
  expect(screen.getByRole("button", { name: "Filters", expanded: true })).toHaveFocus();
  expect(screen.queryByRole("button", { name: "Clear filters" })).toBeNull();
});

test("a filter of a link stays visible, even if the company no longer has the template or the question", async () => {
  serve(responses);
  showToRosa(<Directory />, `${PATH}?template=gone&question=diet&answer=vegan`);

  expect(await screen.findByRole("combobox", { name: "Template" })).toHaveDisplayValue("gone");
  expect(screen.getByRole("combobox", { name: "Question" })).toHaveDisplayValue("diet");
  expect(screen.getByRole("combobox", { name: "Answer" })).toHaveDisplayValue("vegan");
});

test("questions are offered after a template was chosen, and the page says so", async () => {
  serve(responses);
  showToRosa(<Directory />, PATH);
  await userEvent.click(await screen.findByRole("button", { name: "Filters" }));

  const template = await screen.findByRole("combobox", { name: "Template" });
  expect(template).toHaveAccessibleDescription("Choose a template to filter by its questions.");
  await userEvent.selectOptions(template, "River trip");
  expect(await screen.findByRole("combobox", { name: "Question" })).toBeVisible();
  expect(template).not.toHaveAccessibleDescription();
});

test("while the templates are loading, neither the filters nor an empty list show an id", async () => {
  const answer = Promise.withResolvers<void>();
  serve({
    ...responses,
    [DIRECTORY]: { body: [] },
    "GET /rest/v1/waiver_templates": { body: TEMPLATE_CHOICE_ROWS, wait: answer.promise },
  });
  showToRosa(<Directory />, `${PATH}?template=river`);

  expect(await screen.findByText("Loading the filters")).toBeInTheDocument();
  expect(await screen.findByText("No waivers match your search criteria.")).toBeVisible();
  expect(screen.queryByText(/river/)).toBeNull();
  answer.resolve();
  expect(await screen.findByText("Active filters: template River trip.")).toBeVisible();
  expect(await screen.findByRole("combobox", { name: "Template" })).toHaveDisplayValue("River trip");
});

test("filters that cannot be loaded say so and can be retried", async () => {
  let isFailing = true;
  serve({
    ...responses,
    "GET /rest/v1/waiver_templates": () =>
      isFailing
        ? { status: 404, body: { code: "x", message: "no" } }
        : responses["GET /rest/v1/waiver_templates"],
  });
  showToRosa(<Directory />, PATH);
  await userEvent.click(await screen.findByRole("button", { name: "Filters" }));

  expect(await screen.findByText("Failed to load the filters.")).toBeVisible();
  isFailing = false;
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("combobox", { name: "Template" })).toBeVisible();
});

test("without a network the filters say that the browser is offline, and appear when the network is back", async () => {
  serve(responses);
  showToRosa(<Directory />, PATH);
  await screen.findByText("gil@example.com");
  goOffline();
  await userEvent.click(screen.getByRole("button", { name: "Filters" }));

  expect(await screen.findByText(/^You are offline\. The filters are loaded/)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
  serve(responses);
  await goOnline();
  expect(await screen.findByRole("combobox", { name: "Template" })).toBeVisible();
});

test("two filters that are chosen before the page is rendered again are both kept", async () => {
  serve(responses);
  const router = showToRosa(<Directory />, PATH);
  await userEvent.click(await screen.findByRole("button", { name: "Filters" }));
  const flag = await screen.findByRole("combobox", { name: "Flag" });
  const template = screen.getByRole("combobox", { name: "Template" });

  act(() => {
    fireEvent.change(flag, { target: { value: "Asthma" } });
    fireEvent.change(template, { target: { value: "river" } });
  });

  expect(router.state.location.search).toBe("?flag=Asthma&template=river");
});
