import { cleanup, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { serve } from "~/../testing/server";
import { show } from "~/../testing/show";
import CreateTemplateDialog from "./create-template-dialog";

const renderText = (content: string) => <p>{`Rendered: ${content}`}</p>;
const contentField = () => screen.getByLabelText<HTMLTextAreaElement>("Waiver Content");

function open() {
  return show(
    <CreateTemplateDialog renderText={renderText} renderQuestions={() => null} onClose={() => {}} />,
  );
}

test("the toolbar formats the selection, and the preview shows the change", async () => {
  open();
  await userEvent.type(contentField(), "I agree");
  contentField().setSelectionRange(2, 7);

  await userEvent.click(screen.getByRole("button", { name: "Bold" }));

  expect(contentField()).toHaveValue("I **agree**");
  expect(contentField()).toHaveFocus();
  await waitFor(() =>
    expect(screen.getByRole("region", { name: "Preview" })).toHaveTextContent("Rendered: I **agree**"),
  );
});

test("Ctrl+I makes the selection italic, and an arrow key moves to the next toolbar button", async () => {
  open();
  await userEvent.type(contentField(), "agree");
  contentField().setSelectionRange(0, 5);
  await userEvent.keyboard("{Control>}i{/Control}");
  expect(contentField()).toHaveValue("_agree_");

  screen.getByRole("button", { name: "Heading" }).focus();
  await userEvent.keyboard("{ArrowRight}");

  expect(screen.getByRole("button", { name: "Bold" })).toHaveFocus();
});

test("a placeholder is inserted at the cursor, and an unknown one is reported", async () => {
  open();
  await userEvent.type(contentField(), "I, ");
  await userEvent.click(screen.getByRole("button", { name: "Insert [PARTICIPANT NAME]" }));
  expect(contentField()).toHaveValue("I, [PARTICIPANT NAME]");
  expect(contentField()).not.toHaveAccessibleDescription(/exactly as typed/);

  // userEvent types "[[" as a single bracket.
  await userEvent.type(contentField(), " of [[TOWN]");

  expect(contentField()).toHaveAccessibleDescription(
    /\[TOWN\] is not a placeholder\. Guests will see it exactly as typed/,
  );
});

test("unsaved changes are restored after a reload until they are discarded", async () => {
  open();
  await userEvent.type(screen.getByLabelText("Template Name"), "River day");
  await userEvent.type(contentField(), "I agree");
  cleanup();

  open();
  expect(screen.getByLabelText("Template Name")).toHaveValue("River day");
  expect(contentField()).toHaveValue("I agree");
  expect(screen.getByText("Not saved yet.")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Discard changes" }));
  expect(contentField()).toHaveValue("");
  cleanup();

  open();
  expect(contentField()).toHaveValue("");
  expect(screen.queryByText("Not saved yet.")).toBeNull();
});

test("the draft is kept after a failed save and deleted after a successful one", async () => {
  serve({ "POST /rest/v1/waiver_templates": { status: 404, body: { code: "x", message: "Not today." } } });
  open();
  await userEvent.type(screen.getByLabelText("Template Name"), "River day");
  await userEvent.click(screen.getByRole("button", { name: "Create Template" }));
  expect(await screen.findByText("Your text is still here. Not today.")).toBeVisible();
  expect(localStorage.getItem("templateDrafts")).toContain("River day");

  serve({ "POST /rest/v1/waiver_templates": { status: 201, body: [{ id: "tpl-1" }] } });
  await userEvent.click(screen.getByRole("button", { name: "Create Template" }));

  expect(await screen.findByText("Template created")).toBeVisible();
  expect(localStorage.getItem("templateDrafts")).toBe("{}");
});

test("a text that is too long is not sent, and the maximum length is shown", async () => {
  const requests = serve({});
  open();
  await userEvent.type(screen.getByLabelText("Template Name"), "River day");
  await userEvent.click(contentField());
  await userEvent.paste("x".repeat(100_001));
  expect(contentField()).toHaveAccessibleDescription(/100,001 of 100,000 characters/);

  await userEvent.click(screen.getByRole("button", { name: "Create Template" }));

  expect(await screen.findByText("Please use at most 100,000 characters.")).toBeVisible();
  expect(requests).toEqual([]);
});
