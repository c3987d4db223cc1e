import { RotateCcw, Scale } from "lucide-react";
import { useState } from "react";
import { Dialog } from "~/ui/dialog";
import { focusElement } from "~/ui/focus-element";
import { Notice, NoticeButton } from "~/ui/notice";
import { BLANK_DRAFT, isSameDraft, type TemplateDraft } from "../draft";
import { startingDraft, type StartingTemplate } from "../starting-templates";
import { readUnsavedDraft } from "../unsaved-draft";
import type { RenderQuestions } from "../questions";
import { TemplateForm, type RenderText } from "./template-form";
import { TemplateGallery } from "./template-gallery";
import { ViewSwitch } from "./view-switch";

type Props = { renderText: RenderText; renderQuestions: RenderQuestions; onClose: () => void };
type View = "form" | "gallery";
/**
 * How the form was started. `template` is null for a blank page or an earlier text. `replaced` is the unsaved text that
 * the form had before.
 */
type Start = {
  number: number;
  draft: TemplateDraft;
  template: StartingTemplate | null;
  replaced: TemplateDraft | null;
};

/** Writes a new template, from a blank page or from a text of the gallery. */
export default function CreateTemplateDialog({ renderText, renderQuestions, onClose }: Props) {
  const [view, setView] = useState<View>("form");
  const { start, begin } = useStart();
  const beginForm = (draft: TemplateDraft, template: StartingTemplate | null = null) => {
    begin(draft, template);
    setView("form");
  };
  // The form stores its text only after it was rendered, so the text that it starts with decides if there is a draft.
  const hasText = view === "form" && start ? start.draft !== BLANK_DRAFT : readUnsavedDraft() !== null;

  return (
    <Dialog open onClose={onClose} title="Create New Waiver Template" size="xl">
      <ViewSwitch
        label="Start"
        options={[
          { view: "form", label: hasText ? "Your draft" : "Start from a blank page" },
          { view: "gallery", label: "Choose a template" },
        ]}
        view={view}
        onChange={setView}
        className="mb-5 sm:self-start"
      />
      {view === "gallery" && (
        <TemplateGallery
          renderText={renderText}
          onUse={(template) => beginForm(startingDraft(template), template)}
        />
      )}
      {/* The form stays mounted, so that a look at the gallery does not change what was typed. */}
      <div key={start?.number} hidden={view === "gallery"}>
        {start && <StartNotices start={start} onBegin={beginForm} />}
        <TemplateForm
          {...(start && { startingDraft: start.draft })}
          submitLabel="Create Template"
          toastTitle="Template created"
          renderText={renderText}
          renderQuestions={renderQuestions}
          onCancel={onClose}
          onSaved={onClose}
        />
      </div>
    </Dialog>
  );
}

function useStart() {
  const [start, setStart] = useState<Start | null>(null);
  const begin = (draft: TemplateDraft, template: StartingTemplate | null) => {
    const unsavedDraft = readUnsavedDraft();
    // If the last template was not changed, the text to bring back is the one that this template replaced.
    const isUnchanged = start && unsavedDraft && isSameDraft(unsavedDraft, start.draft);
    const replaced = isUnchanged ? start.replaced : unsavedDraft;
    setStart({ number: (start?.number ?? 0) + 1, draft, template, replaced });
  };
  return { start, begin };
}

type NoticesProps = { start: Start; onBegin: (draft: TemplateDraft) => void };

/** Says what to do with the text of a template, and offers the text that it replaced. */
function StartNotices({ start: { template, replaced }, onBegin }: NoticesProps) {
  return (
    <div tabIndex={-1} ref={focusElement} className="mb-5 flex flex-col gap-3 outline-none">
      {template && (
        <Notice
          tone="amber"
          icon={Scale}
          title="This is a draft."
          action={<NoticeButton onClick={() => onBegin(BLANK_DRAFT)}>Use a blank page</NoticeButton>}
        >
          Fill in the texts in square brackets, have a lawyer review it, and then delete its first line. Ask
          your lawyer: {template.lawyer}
        </Notice>
      )}
      {replaced && (
        <Notice
          icon={RotateCcw}
          title="Your earlier text was replaced."
          action={<NoticeButton onClick={() => onBegin(replaced)}>Bring it back</NoticeButton>}
        >
          You can bring it back until you close this window.
        </Notice>
      )}
    </div>
  );
}
