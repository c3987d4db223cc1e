import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useSearchParams } from "react-router";
import { expect, test, vi } from "vitest";
import { serve, type RecordedRequest } from "~/../testing/server";
import { show } from "~/../testing/show";
import type { Template } from "../model";
import CreateTemplateDialog from "./create-template-dialog";
import TemplateDetailsDialog from "./template-details-dialog";

const ownTemplate: Template = {
  id: "tpl-1",
  name: "River day",
  description: "Half a day",
  content: "I agree.",
  form: { questions: [{ key: "swims", kind: "yes_no", label: "Do you swim?" }] },
  createdAt: "2026-03-04T12:00:00Z",
  updatedAt: "2026-03-04T12:00:00Z",
  version: 3,
  archivedAt: null,
  isSample: false,
};
const renderText = (content: string) => <p>{`Rendered: ${content}`}</p>;
const sample = {
  ...ownTemplate,
  id: "template-general-liability",
  name: "General Liability Waiver",
  isSample: true,
};

const detailsOf = (template: Template) => (
  <TemplateDetailsDialog
    template={template}
    renderText={renderText}
    renderQuestions={() => null}
    onClose={() => {}}
  />
);

test("TPL-05 TPL-06 TPL-07 the create dialog has three fields, explains the placeholders and requires a name", async () => {
  const requests = serve({});
  show(<CreateTemplateDialog renderText={renderText} renderQuestions={() => null} onClose={() => {}} />);

  expect(screen.getByRole("dialog", { name: "Create New Waiver Template" })).toBeVisible();
  expect(screen.getByLabelText("Description")).toBeVisible();
  expect(screen.getByLabelText("Waiver Content")).toHaveAccessibleDescription(
    /\[PARTICIPANT NAME\] and \[COMPANY NAME\] are placeholders/,
  );
  await userEvent.type(screen.getByLabelText("Template Name"), "   ");
  await userEvent.click(screen.getByRole("button", { name: "Create Template" }));

  expect(await screen.findByText("Template name is required.")).toBeVisible();
  expect(requests).toEqual([]);
});

test("TPL-08 the details are read-only, show when the template was created, and have a button to edit the template", async () => {
  show(detailsOf(ownTemplate));

  expect(screen.getByRole("dialog", { name: "Waiver Template Details" })).toBeVisible();
  expect(screen.getByText("Created on March 4, 2026")).toBeVisible();
  expect(screen.getByText("Questions to guests: 1")).toBeVisible();
  expect(screen.queryByRole("textbox")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Edit" }));
  expect(screen.getByRole("button", { name: "Save Changes" })).toBeVisible();
  expect(screen.getByLabelText("Template Name")).toHaveValue("River day");
});

async function rename(template: Template, onClose: () => void) {
  show(
    <TemplateDetailsDialog
      template={template}
      renderText={renderText}
      renderQuestions={() => null}
      onClose={onClose}
    />,
  );
  await userEvent.click(screen.getByRole("button", { name: "Edit" }));
  await userEvent.type(screen.getByLabelText("Template Name"), " 2");
  await userEvent.click(screen.getByRole("button", { name: "Save Changes" }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
}

test("the company's own template is updated only if it still has the version that was opened", async () => {
  const requests = serve({ "PATCH /rest/v1/waiver_templates": { body: [{ id: "tpl-1" }] } });

  await rename(ownTemplate, vi.fn());

  expect(requests[0]?.query.get("id")).toBe("eq.tpl-1");
  expect(requests[0]?.query.get("version")).toBe("eq.3");
  expect(requests[0]?.body).toEqual({
    name: "River day 2",
    description: "Half a day",
    content: "I agree.",
    form: ownTemplate.form,
  });
});

test("editing a sample creates a new template and leaves the sample unchanged", async () => {
  const requests = serve({ "POST /rest/v1/waiver_templates": { status: 201, body: [{ id: "tpl-2" }] } });

  await rename(sample, vi.fn());

  expect(requests.map(({ method }) => method)).not.toContain("PATCH");
  expect(requests[0]?.body).toEqual({
    name: "General Liability Waiver 2",
    description: "Half a day",
    content: "I agree.",
    form: sample.form,
  });
});

const acceptOnlyVersion4 = {
  "PATCH /rest/v1/waiver_templates": ({ query }: RecordedRequest) => ({
    body: query.get("version") === "eq.4" ? [{ id: "tpl-1" }] : [],
  }),
};

test("a newer version is reported while editing, and saving creates the next version", async () => {
  const requests = serve(acceptOnlyVersion4);
  const router = show(<DialogWithRefresh />);
  await userEvent.click(screen.getByRole("button", { name: "Edit" }));
  await userEvent.type(screen.getByLabelText("Template Name"), " 2");
  expect(screen.queryByRole("status")).toBeNull();

  await act(() => router.navigate("/here?refreshed=1"));

  expect(await screen.findByText("Version 4 was saved in the meantime.")).toBeVisible();
  expect(screen.getByLabelText("Template Name")).toHaveValue("River day 2");
  await userEvent.click(screen.getByRole("button", { name: "Save Changes" }));
  expect(await screen.findByText("Template saved")).toBeVisible();
  expect(requests.map(({ query }) => query.get("version"))).toEqual(["eq.4"]);
});

test("saving over a newer version that the user has not seen fails the first time and succeeds the second time", async () => {
  const requests = serve(acceptOnlyVersion4);
  const router = show(<DialogWithRefresh />);
  await userEvent.click(screen.getByRole("button", { name: "Edit" }));
  await userEvent.type(screen.getByLabelText("Template Name"), " 2");

  await userEvent.click(screen.getByRole("button", { name: "Save Changes" }));
  await act(() => router.navigate("/here?refreshed=1"));

  expect(await screen.findByText(/Someone else saved this template while you were editing/)).toBeVisible();
  expect(screen.getByLabelText("Template Name")).toHaveValue("River day 2");
  await userEvent.click(screen.getByRole("button", { name: "Save Changes" }));
  await waitFor(() => expect(requests.map(({ query }) => query.get("version"))).toEqual(["eq.3", "eq.4"]));
});

function DialogWithRefresh() {
  const [parameters] = useSearchParams();
  const template = parameters.has("refreshed") ? { ...ownTemplate, version: 4 } : ownTemplate;
  return detailsOf(template);
}

const versions = [
  {
    template_id: "tpl-1",
    version: 3,
    name: "River day",
    description: "Half a day",
    content: "I agree.",
    form: ownTemplate.form,
    saved_at: "2026-03-04T12:00:00Z",
    saved_by_name: "Rosa Marín",
  },
  {
    template_id: "tpl-1",
    version: 2,
    name: "River",
    description: "",
    content: "I agreed.",
    form: { questions: [] },
    saved_at: "2026-03-03T12:00:00Z",
    saved_by_name: null,
  },
];

test("FORM-20 the history shows every version, says in which versions the questions changed, and restores a version as the newest", async () => {
  const requests = serve({
    "GET /rest/v1/waiver_template_versions": { body: versions },
    "PATCH /rest/v1/waiver_templates": { body: [{ id: "tpl-1" }] },
  });
  show(detailsOf(ownTemplate));

  await userEvent.click(screen.getByRole("button", { name: "Version 3 · History" }));
  expect(await screen.findByText("by Rosa Marín")).toBeVisible();
  expect(screen.getByText("Current")).toBeVisible();
  expect(screen.getAllByText("Questions changed")).toHaveLength(1);
  expect(screen.queryByRole("button", { name: "Restore version 3" })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Version 2" }));
  expect(screen.getByRole("region", { name: "Text of version 2" })).toHaveTextContent("Rendered: I agreed.");
  await userEvent.click(screen.getByRole("button", { name: "Restore version 2" }));

  expect(await screen.findByText("Version 2 restored")).toBeVisible();
  const update = requests.find(({ method }) => method === "PATCH");
  expect(update?.body).toEqual({
    name: "River",
    description: "",
    content: "I agreed.",
    form: { questions: [] },
  });
});

test("a draft of an older version says that the template has been saved since then", async () => {
  const draft = {
    name: "River day",
    description: "",
    content: "Mine",
    at: "2026-03-01T00:00:00Z",
    version: 2,
  };
  localStorage.setItem("templateDrafts", JSON.stringify({ "tpl-1": draft }));
  show(detailsOf(ownTemplate));

  await userEvent.click(screen.getByRole("button", { name: "Continue editing" }));

  expect(screen.getByLabelText("Waiver Content")).toHaveValue("Mine");
  expect(screen.getByText(/The template has been saved since then/)).toBeVisible();
});
