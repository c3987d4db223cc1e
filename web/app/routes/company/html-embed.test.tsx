import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { showToRosa } from "~/../testing/company";
import { goOffline } from "~/../testing/network";
import { deferredResponse, serve } from "~/../testing/server";
import HtmlEmbed from "./html-embed";

const HERE = "/dashboard/settings/html-embed";
const row = {
  id: "tpl-1",
  company_id: "c1",
  name: "River day",
  description: "Half a day",
  content: "I, [PARTICIPANT NAME], ride.",
  created_at: "2026-01-02T00:00:00Z",
  updated_at: "2026-01-02T00:00:00Z",
  version: 1,
  archived_at: null,
};
const sample = { ...row, id: "template-photography-release", company_id: null, name: "Photography Release" };
const archived = { ...row, id: "tpl-2", name: "Old river", archived_at: "2026-02-01T00:00:00Z" };
const blank = { ...row, id: "tpl-3", name: "No words", content: "  " };

const full = {
  "GET /rest/v1/waiver_templates": { body: [row, sample, archived, blank] },
  "GET /rest/v1/companies": { body: { framed_by: ["*"] } },
};
const code = () => screen.findByLabelText("HTML snippet", { selector: "pre" });
const copied = () => navigator.clipboard.readText();

test("each template has a snippet of its own, which is copied as it stands", async () => {
  userEvent.setup();
  serve(full);
  const { state } = showToRosa(<HtmlEmbed />, HERE);

  expect(await code()).toHaveTextContent(`src="${window.location.origin}/embed/tpl-1"`);
  await userEvent.click(screen.getByRole("button", { name: "Copy HTML snippet" }));
  expect(await screen.findByText("Copied")).toBeVisible();
  expect(await copied()).toBe((await code()).textContent);
  expect(screen.getByTitle("Preview of River day")).toHaveAttribute("src", "/embed/tpl-1");
  expect(state.location.search).toBe("");
});

test("a sample names the company it is shown by, and the choice stands in the address", async () => {
  serve(full);
  const router = showToRosa(<HtmlEmbed />, HERE);

  await userEvent.selectOptions(await screen.findByLabelText("Template"), "Photography Release");

  expect(await code()).toHaveTextContent("/embed/template-photography-release?company=c1");
  expect(router.state.location.search).toBe("?template=template-photography-release");
  expect(screen.getByRole("link", { name: "Open the signing page itself" })).toHaveAttribute(
    "href",
    "/embed/template-photography-release?company=c1",
  );
});

test("what takes no signatures is not offered", async () => {
  serve(full);
  showToRosa(<HtmlEmbed />, `${HERE}?template=tpl-2`);

  const choice = await screen.findByLabelText("Template");
  expect(within(choice).getAllByRole("option")).toHaveLength(2);
  expect(choice).toHaveValue("tpl-1");
});

test("nothing in the preview can be pressed", async () => {
  serve(full);
  showToRosa(<HtmlEmbed />, HERE);

  expect((await screen.findByTitle("Preview of River day")).parentElement).toHaveAttribute("inert");
});

test("without templates there is a way to write one", async () => {
  serve({ ...full, "GET /rest/v1/waiver_templates": { body: [archived] } });
  showToRosa(<HtmlEmbed />, HERE);

  expect(await screen.findByText("No template to show yet")).toBeVisible();
  expect(screen.getByRole("link", { name: "Write a template" })).toHaveAttribute(
    "href",
    "/dashboard/waivers",
  );
});

test("while templates load the page says so, and when they do not come it says that", async () => {
  const { wait, respond } = deferredResponse();
  const gone = { status: 404, body: { code: "none", message: "none" } };
  serve({ ...full, "GET /rest/v1/waiver_templates": { ...gone, wait }, "GET /rest/v1/companies": gone });
  showToRosa(<HtmlEmbed />, HERE);

  expect(screen.getByText("Loading templates...")).toBeInTheDocument();
  respond();
  expect(await screen.findByText("Your templates could not be loaded")).toBeVisible();
  expect(await screen.findByText("Your websites could not be loaded")).toBeVisible();
});

test("without a network the snippet is there and the preview says why it is not", async () => {
  serve(full);
  showToRosa(<HtmlEmbed />, HERE);
  await code();

  goOffline();

  expect(await screen.findByText(/The preview is the real page/)).toBeVisible();
  expect(screen.queryByTitle("Preview of River day")).toBeNull();
});

const SAVE = "PATCH /rest/v1/companies";
const name = async (websites: string) => {
  await userEvent.click(await screen.findByRole("radio", { name: "Only the websites I name" }));
  await userEvent.type(screen.getByLabelText("Websites"), websites);
  await userEvent.click(screen.getByRole("button", { name: "Save websites" }));
};

test("the company names the websites, by any address on them", async () => {
  const seen = serve({ ...full, [SAVE]: { status: 204 } });
  showToRosa(<HtmlEmbed />, HERE);
  expect(await screen.findByRole("button", { name: "Save websites" })).toBeDisabled();

  await name("https://rio.example/book{enter}sea.example");

  expect(await screen.findByText("Only these 2 websites may show your signing pages.")).toBeVisible();
  const saved = seen.find(({ method }) => method === "PATCH");
  expect(saved?.query.get("id")).toBe("eq.c1");
  expect(saved?.body).toEqual({ framed_by: ["https://rio.example", "https://sea.example"] });
  expect(screen.getByLabelText("Websites")).toHaveValue("https://rio.example\nhttps://sea.example");
  expect(screen.getByRole("button", { name: "Save websites" })).toBeDisabled();
});

test("where no website may show it, the snippet says so before it is pasted in vain", async () => {
  serve({ ...full, "GET /rest/v1/companies": { body: { framed_by: [] } } });
  showToRosa(<HtmlEmbed />, HERE);

  expect(await screen.findByText("No website may show your signing pages now.")).toBeVisible();
  expect(screen.getByRole("link", { name: "Name yours" })).toHaveAttribute("href", "#websites");
});

test("what is no website is told by its field, and nothing is saved", async () => {
  const seen = serve(full);
  showToRosa(<HtmlEmbed />, HERE);

  await name("our homepage");

  const field = screen.getByLabelText("Websites");
  expect(field).toHaveAccessibleDescription(/our homepage is not the address of a website/);
  expect(field).toBeInvalid();
  expect(seen.some(({ method }) => method === "PATCH")).toBe(false);
});

test("a refusal of the server is told, and what was typed stays", async () => {
  serve({ ...full, [SAVE]: { status: 400, body: { code: "23514", message: "That is no list." } } });
  showToRosa(<HtmlEmbed />, HERE);

  await name("rio.example");

  expect(await screen.findByText("Websites were not saved")).toBeVisible();
  expect(screen.getByLabelText("Websites")).toHaveValue("rio.example");
});
