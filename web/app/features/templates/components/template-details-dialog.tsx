import { History, Pencil } from "lucide-react";
import { useState } from "react";
import { longDate } from "~/lib/dates";
import { Badge } from "~/ui/badge";
import { Button } from "~/ui/button";
import { Dialog, DialogActions } from "~/ui/dialog";
import type { Template } from "../model";
import { readUnsavedDraft } from "../unsaved-draft";
import { countQuestions, type RenderQuestions } from "../questions";
import { TemplateForm, type RenderText } from "./template-form";
import { VersionHistory } from "./version-history";

type Props = {
  template: Template;
  renderText: RenderText;
  renderQuestions: RenderQuestions;
  onClose: () => void;
};
type View = "details" | "edit" | "history";

export default function TemplateDetailsDialog({ template, renderText, renderQuestions, onClose }: Props) {
  const [view, setView] = useState<View>("details");
  const back = () => setView("details");
  return (
    <Dialog
      open
      onClose={onClose}
      title="Waiver Template Details"
      {...(view === "history" && { description: `History of ${template.name}` })}
      size={view === "edit" ? "xl" : "lg"}
    >
      {view === "edit" && (
        <>
          {template.isSample && (
            <p className="mb-4 rounded-control bg-sunken px-4 py-3 text-sm text-muted">
              This is a sample shared by every company. Saving makes your own copy; the sample stays as it is.
            </p>
          )}
          <TemplateForm
            template={template}
            submitLabel="Save Changes"
            toastTitle={template.isSample ? "Saved as your own template" : "Template saved"}
            renderText={renderText}
            renderQuestions={renderQuestions}
            onCancel={back}
            onSaved={onClose}
          />
        </>
      )}
      {view === "history" && <VersionHistory template={template} renderText={renderText} onBack={back} />}
      {view === "details" && <Details template={template} renderText={renderText} onView={setView} />}
    </Dialog>
  );
}

type DetailsProps = { template: Template; renderText: RenderText; onView: (view: View) => void };

function Details({ template, renderText, onView }: DetailsProps) {
  const { name, description, content, form, version, createdAt, archivedAt, isSample } = template;
  const questionCount = countQuestions(form);
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <h3 dir="auto" className="text-xl font-semibold wrap-break-word">
          {name}
        </h3>
        {archivedAt && <Badge>Archived</Badge>}
      </div>
      {description && (
        <p dir="auto" className="mt-1 text-muted">
          {description}
        </p>
      )}
      <p className="mt-1 text-sm text-muted">Created on {longDate(new Date(createdAt))}</p>
      {questionCount > 0 && <p className="mt-1 text-sm text-muted">Questions to guests: {questionCount}</p>}
      <section
        aria-label="Waiver content"
        tabIndex={0}
        className="mt-4 max-h-[45dvh] shrink-0 overflow-y-auto rounded-control border border-line bg-ground p-5"
      >
        {content ? renderText(content) : <p className="text-muted">No content available</p>}
      </section>
      <DialogActions>
        {!isSample && (
          <Button variant="ghost" onClick={() => onView("history")} className="sm:me-auto">
            <History aria-hidden /> Version {version} · History
          </Button>
        )}
        <Button variant="secondary" onClick={() => onView("edit")}>
          <Pencil aria-hidden /> {readUnsavedDraft(template) ? "Continue editing" : "Edit"}
        </Button>
      </DialogActions>
    </>
  );
}
