import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { serve } from "~/../testing/server";
import { show } from "~/../testing/show";
import type { Template } from "../model";
import CreateTemplateDialog from "./create-template-dialog";
import TemplateDetailsDialog from "./template-details-dialog";

const own: Template = {
  id: "tpl-1",
  name: "River day",
  description: "Half a day",
  content: "I agree.",
  createdAt: "2026-03-04T12:00:00Z",
  updatedAt: "2026-03-04T12:00:00Z",
  isSample: false,
};
const sample = { ...own, id: "template-general-liability", name: "General Liability Waiver", isSample: true };

test("TPL-05 TPL-06 TPL-07 the create dialog asks for three things, explains the placeholders, insists on a name", async () => {
  const seen = serve({});
  show(<CreateTemplateDialog onClose={() => {}} />);

  expect(screen.getByRole("dialog", { name: "Create New Waiver Template" })).toBeVisible();
  expect(screen.getByLabelText("Description")).toBeVisible();
  expect(screen.getByLabelText("Waiver Content")).toHaveAccessibleDescription(
    /\[PARTICIPANT NAME\] and \[COMPANY NAME\] are placeholders/,
  );
  await userEvent.type(screen.getByLabelText("Template Name"), "   ");
  await userEvent.click(screen.getByRole("button", { name: "Create Template" }));

  expect(await screen.findByText("Template name is required.")).toBeVisible();
  expect(seen).toEqual([]);
});

test("TPL-08 the details are read-only, dated, and can be switched to editing", async () => {
  show(
    <TemplateDetailsDialog template={own} onClose={() => {}}>
      I agree.
    </TemplateDetailsDialog>,
  );

  expect(screen.getByRole("dialog", { name: "Waiver Template Details" })).toBeVisible();
  expect(screen.getByText("Created on March 4, 2026")).toBeVisible();
  expect(screen.queryByRole("textbox")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Edit" }));
  expect(screen.getByRole("button", { name: "Save Changes" })).toBeVisible();
  expect(screen.getByLabelText("Template Name")).toHaveValue("River day");
});

async function rename(template: Template, onClose: () => void) {
  show(
    <TemplateDetailsDialog template={template} onClose={onClose}>
      I agree.
    </TemplateDetailsDialog>,
  );
  await userEvent.click(screen.getByRole("button", { name: "Edit" }));
  await userEvent.type(screen.getByLabelText("Template Name"), " 2");
  await userEvent.click(screen.getByRole("button", { name: "Save Changes" }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
}

test("an own template is changed in its place", async () => {
  const seen = serve({ "PATCH /rest/v1/waiver_templates": { status: 204 } });

  await rename(own, vi.fn());

  expect(seen[0]?.query.get("id")).toBe("eq.tpl-1");
  expect(seen[0]?.body).toEqual({ name: "River day 2", description: "Half a day", content: "I agree." });
});

test("editing a sample asks for a new template of the company's own and leaves the sample alone", async () => {
  const seen = serve({ "POST /rest/v1/waiver_templates": { status: 201 } });

  await rename(sample, vi.fn());

  expect(seen.map(({ method }) => method)).not.toContain("PATCH");
  expect(seen[0]?.body).toEqual({
    name: "General Liability Waiver 2",
    description: "Half a day",
    content: "I agree.",
  });
});
