import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { deferredResponse, serve } from "~/../testing/server";
import { show } from "~/../testing/show";
import { CLIMBING, RAFTING } from "~/../testing/starting-templates";
import CreateTemplateDialog from "./create-template-dialog";

const FILE = "GET /starting-templates.json";
const TEMPLATES = { body: [CLIMBING, RAFTING] };
const nameField = () => screen.getByLabelText("Template Name");
const contentField = () => screen.getByLabelText("Waiver Content");
const card = (name: string) => screen.findByRole("button", { name: new RegExp(name) });

async function openGallery(response: Parameters<typeof serve>[0][string] = TEMPLATES) {
  const requests = serve({
    [FILE]: response,
    "POST /rest/v1/waiver_templates": { status: 201, body: [{ id: "t" }] },
  });
  show(
    <CreateTemplateDialog
      renderText={(content) => <p>{`Rendered: ${content}`}</p>}
      renderQuestions={() => null}
      onClose={() => {}}
    />,
  );
  await userEvent.click(screen.getByRole("button", { name: "Choose a template" }));
  return requests;
}

async function useTemplate(name: string) {
  await userEvent.click(await card(name));
  await userEvent.click(screen.getByRole("button", { name: "Use this template" }));
}

test("a new template starts from a blank page, and the texts are loaded only for the gallery", async () => {
  const requests = serve({ [FILE]: TEMPLATES });
  show(<CreateTemplateDialog renderText={() => null} renderQuestions={() => null} onClose={() => {}} />);

  expect(screen.getByRole("button", { name: "Start from a blank page" })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  expect(contentField()).toHaveValue("");
  expect(requests).toEqual([]);
});

test("the gallery shows the templates by kind of activity and says that they are drafts", async () => {
  await openGallery();

  expect(await screen.findByRole("region", { name: "On the water" })).toHaveTextContent("Whitewater waiver");
  expect(screen.getByRole("region", { name: "On land" })).toHaveTextContent("Climbing waiver");
  expect(screen.getByText(/Have a lawyer who knows your activity/)).toBeVisible();
  expect(nameField()).not.toBeVisible();
});

test("search and kind of activity narrow the list, and a search without a match can be cleared", async () => {
  await openGallery();
  await card("Climbing waiver");

  await userEvent.selectOptions(screen.getByLabelText("Kind of activity"), "On the water");
  expect(screen.getByRole("status")).toHaveTextContent("1 template");
  await userEvent.type(screen.getByLabelText("Search"), "rope");
  expect(screen.getByRole("heading", { name: "No template matches" })).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Show all templates" }));

  expect(screen.getByRole("status")).toHaveTextContent("2 templates");
  expect(screen.getByLabelText("Search")).toHaveValue("");
});

test("the gallery says that it is loading", async () => {
  const { wait, respond } = deferredResponse();
  await openGallery({ ...TEMPLATES, wait });

  expect(screen.getByRole("status")).toHaveTextContent("Loading the templates");
  respond();
  expect(await card("Climbing waiver")).toBeVisible();
});

test("if the texts cannot be loaded, the gallery says so and has a button to try again", async () => {
  const statuses = [404, 200];
  await openGallery(() => ({ ...TEMPLATES, status: statuses.shift() ?? 200 }));

  expect(await screen.findByRole("alert")).toHaveTextContent("The templates could not be loaded");
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));

  expect(await card("Climbing waiver")).toBeVisible();
});

test("the preview gets the focus, shows the text and the questions for a lawyer, and leads back to its card", async () => {
  await openGallery();
  (await card("Climbing waiver")).focus();
  await userEvent.keyboard("{Enter}");

  expect(screen.getByRole("heading", { name: "Climbing waiver" })).toHaveFocus();
  const preview = screen.getByRole("region", { name: "Preview of the template" });
  expect(preview).toHaveTextContent("Rendered: I check my rope.");
  expect(preview).toHaveTextContent("Ask your lawyer: Who owns the rock?");
  await userEvent.click(screen.getByRole("button", { name: "Back to the gallery" }));

  expect(await card("Climbing waiver")).toHaveFocus();
});

test("FORM-45 the preview lists the questions, without headings, and says whom a signature covers", async () => {
  await openGallery();
  await userEvent.click(await card("Whitewater waiver"));

  const questions = screen.getByRole("region", { name: "Questions for the guest" });
  expect(
    within(questions)
      .getAllByRole("listitem")
      .map(({ textContent }) => textContent),
  ).toEqual(["Do you swim?"]);
  expect(questions).toHaveTextContent("A parent or guardian can sign for their children too.");
});

test("a chosen template fills the form, which says that it is a draft, and is saved as the company's own", async () => {
  const requests = await openGallery();
  await useTemplate("Climbing waiver");

  expect(nameField()).toHaveValue("Climbing waiver");
  expect(contentField()).toHaveValue("I check my rope.");
  expect(screen.getByText("This is a draft.")).toBeVisible();
  expect(document.activeElement).toHaveTextContent(/^This is a draft\..* Who owns the rock\?/);
  expect(screen.queryByText("Your earlier text was replaced.")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Create Template" }));

  const { name, description, content, form } = CLIMBING;
  await waitFor(() =>
    expect(requests.find(({ method }) => method === "POST")?.body).toEqual({
      name,
      description,
      content,
      form,
    }),
  );
});

test("a look at the gallery does not change what was typed", async () => {
  serve({ [FILE]: TEMPLATES });
  show(<CreateTemplateDialog renderText={() => null} renderQuestions={() => null} onClose={() => {}} />);
  await userEvent.type(contentField(), "My own text");

  await userEvent.click(screen.getByRole("button", { name: "Choose a template" }));
  await userEvent.click(screen.getByRole("button", { name: "Your draft" }));

  expect(contentField()).toBeVisible();
  expect(contentField()).toHaveValue("My own text");
});

test("a text that a template replaced can be brought back, also after a second template", async () => {
  localStorage.setItem(
    "templateDrafts",
    JSON.stringify({
      new: { name: "Mine", description: "", content: "My own text", at: "2026-03-01T00:00:00Z", version: 0 },
    }),
  );
  await openGallery();
  await useTemplate("Climbing waiver");
  expect(screen.getByText("Your earlier text was replaced.")).toBeVisible();

  await userEvent.click(screen.getByRole("button", { name: "Choose a template" }));
  await useTemplate("Whitewater waiver");
  expect(contentField()).toHaveValue("I wear a life vest.");
  await userEvent.click(screen.getByRole("button", { name: "Bring it back" }));

  expect(nameField()).toHaveValue("Mine");
  expect(contentField()).toHaveValue("My own text");
});

test("after a template, the form can be started again from a blank page", async () => {
  await openGallery();
  await useTemplate("Climbing waiver");
  expect(screen.getByRole("button", { name: "Your draft" })).toHaveAttribute("aria-pressed", "true");

  await userEvent.click(screen.getByRole("button", { name: "Use a blank page" }));

  expect(nameField()).toHaveValue("");
  expect(contentField()).toHaveValue("");
  expect(screen.queryByText("This is a draft.")).toBeNull();
  expect(screen.getByRole("button", { name: "Start from a blank page" })).toBeVisible();
});
