import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { showToRosa } from "~/../testing/company";
import { goOffline } from "~/../testing/network";
import { deferredResponse, serve } from "~/../testing/server";
import { TEMPLATE_ROW } from "~/../testing/template-row";
import HtmlEmbed from "./html-embed";

const PATH = "/dashboard/settings/html-embed";
const sample = {
  ...TEMPLATE_ROW,
  id: "template-photography-release",
  company_id: null,
  name: "Photography Release",
};
const archivedTemplate = {
  ...TEMPLATE_ROW,
  id: "tpl-2",
  name: "Old river",
  archived_at: "2026-02-01T00:00:00Z",
};
const blankTemplate = { ...TEMPLATE_ROW, id: "tpl-3", name: "No text", content: "  " };

const responses = {
  "GET /rest/v1/waiver_templates": { body: [TEMPLATE_ROW, sample, archivedTemplate, blankTemplate] },
  "GET /rest/v1/companies": { body: { framed_by: ["*"] } },
};
const findSnippet = () => screen.findByLabelText("HTML snippet", { selector: "pre" });
const clipboardText = () => navigator.clipboard.readText();

test("each template has a snippet, which the Copy button copies unchanged", async () => {
  userEvent.setup();
  serve(responses);
  const { state } = showToRosa(<HtmlEmbed />, PATH);

  expect(await findSnippet()).toHaveTextContent(`src="${window.location.origin}/embed/tpl-1"`);
  await userEvent.click(screen.getByRole("button", { name: "Copy HTML snippet" }));
  expect(await screen.findByText("Copied")).toBeVisible();
  expect(await clipboardText()).toBe((await findSnippet()).textContent);
  expect(screen.getByTitle("Preview of River day")).toHaveAttribute("src", "/embed/tpl-1");
  expect(state.location.search).toBe("");
});

test("the snippet of a sample names the company, and the selection is part of the URL", async () => {
  serve(responses);
  const router = showToRosa(<HtmlEmbed />, PATH);

  await userEvent.selectOptions(await screen.findByLabelText("Template"), "Photography Release");

  expect(await findSnippet()).toHaveTextContent("/embed/template-photography-release?company=c1");
  expect(router.state.location.search).toBe("?template=template-photography-release");
  expect(screen.getByRole("link", { name: "Open the signing page itself" })).toHaveAttribute(
    "href",
    "/embed/template-photography-release?company=c1",
  );
});

test("templates that cannot be signed are not offered", async () => {
  serve(responses);
  showToRosa(<HtmlEmbed />, `${PATH}?template=tpl-2`);

  const choice = await screen.findByLabelText("Template");
  expect(within(choice).getAllByRole("option")).toHaveLength(2);
  expect(choice).toHaveValue("tpl-1");
});

test("the preview ignores clicks", async () => {
  serve(responses);
  showToRosa(<HtmlEmbed />, PATH);

  expect((await screen.findByTitle("Preview of River day")).parentElement).toHaveAttribute("inert");
});

test("without templates the page has a link to write one", async () => {
  serve({ ...responses, "GET /rest/v1/waiver_templates": { body: [archivedTemplate] } });
  showToRosa(<HtmlEmbed />, PATH);

  expect(await screen.findByText("No template to show yet")).toBeVisible();
  expect(screen.getByRole("link", { name: "Write a template" })).toHaveAttribute(
    "href",
    "/dashboard/waivers",
  );
});

test("the page shows that templates are loading and that loading failed", async () => {
  const { wait, respond } = deferredResponse();
  const notFound = { status: 404, body: { code: "none", message: "none" } };
  serve({
    ...responses,
    "GET /rest/v1/waiver_templates": { ...notFound, wait },
    "GET /rest/v1/companies": notFound,
  });
  showToRosa(<HtmlEmbed />, PATH);

  expect(screen.getByText("Loading templates...")).toBeInTheDocument();
  respond();
  expect(await screen.findByText("Your templates could not be loaded")).toBeVisible();
  expect(await screen.findByText("Your websites could not be loaded")).toBeVisible();
});

test("without a network the snippet is shown, and the preview explains that it is not available", async () => {
  serve(responses);
  showToRosa(<HtmlEmbed />, PATH);
  await findSnippet();

  goOffline();

  expect(await screen.findByText(/The preview is the real page/)).toBeVisible();
  expect(screen.queryByTitle("Preview of River day")).toBeNull();
});

const SAVE = "PATCH /rest/v1/companies";
const saveWebsites = async (websites: string) => {
  await userEvent.click(await screen.findByRole("radio", { name: "Only the websites I name" }));
  await userEvent.type(screen.getByLabelText("Websites"), websites);
  await userEvent.click(screen.getByRole("button", { name: "Save websites" }));
};

test("websites can be entered as the address of any of their pages", async () => {
  const requests = serve({ ...responses, [SAVE]: { status: 204 } });
  showToRosa(<HtmlEmbed />, PATH);
  expect(await screen.findByRole("button", { name: "Save websites" })).toBeDisabled();

  await saveWebsites("https://rio.example/book{enter}sea.example");

  expect(await screen.findByText("Only these 2 websites may show your signing pages.")).toBeVisible();
  const update = requests.find(({ method }) => method === "PATCH");
  expect(update?.query.get("id")).toBe("eq.c1");
  expect(update?.body).toEqual({ framed_by: ["https://rio.example", "https://sea.example"] });
  expect(screen.getByLabelText("Websites")).toHaveValue("https://rio.example\nhttps://sea.example");
  expect(screen.getByRole("button", { name: "Save websites" })).toBeDisabled();
});

test("if no website may show the page, a notice appears beside the snippet", async () => {
  serve({ ...responses, "GET /rest/v1/companies": { body: { framed_by: [] } } });
  showToRosa(<HtmlEmbed />, PATH);

  expect(await screen.findByText("No website may show your signing pages now.")).toBeVisible();
  expect(screen.getByRole("link", { name: "Name yours" })).toHaveAttribute("href", "#websites");
});

test("an invalid website is reported beside its field, and nothing is saved", async () => {
  const requests = serve(responses);
  showToRosa(<HtmlEmbed />, PATH);

  await saveWebsites("our homepage");

  const field = screen.getByLabelText("Websites");
  expect(field).toHaveAccessibleDescription(/our homepage is not the address of a website/);
  expect(field).toBeInvalid();
  expect(requests.some(({ method }) => method === "PATCH")).toBe(false);
});

test("an error from the server is shown, and the typed values stay", async () => {
  serve({
    ...responses,
    [SAVE]: { status: 400, body: { code: "23514", message: "That is no list." } },
  });
  showToRosa(<HtmlEmbed />, PATH);

  await saveWebsites("rio.example");

  expect(await screen.findByText("Websites were not saved")).toBeVisible();
  expect(screen.getByLabelText("Websites")).toHaveValue("rio.example");
});
