import { Fragment, useDeferredValue, useState, type ReactNode } from "react";
import type { FormRefusal } from "~/lib/waiver-form/editor-props";
import { Button } from "~/ui/button";
import { DialogActions } from "~/ui/dialog";
import { Field, FieldError } from "~/ui/field";
import { Input } from "~/ui/input";
import type { TemplateDraft } from "../draft";
import type { Template } from "../model";
import { countQuestions, type RenderQuestions } from "../questions";
import { useTemplateForm, type EditorView } from "../use-template-form";
import { ContentEditor } from "./content-editor";
import { NewerVersionNotice } from "./newer-version-notice";
import { UnsavedNotice } from "./unsaved-notice";
import { ViewSwitch } from "./view-switch";

/** Renders the Markdown as guests will see it. This is a prop, because another feature implements it. */
export type RenderText = (content: string) => ReactNode;

type Props = {
  template?: Template;
  startingDraft?: TemplateDraft;
  submitLabel: string;
  toastTitle: string;
  renderText: RenderText;
  renderQuestions: RenderQuestions;
  onCancel: () => void;
  onSaved: () => void;
};

export function TemplateForm(props: Props) {
  const { template, startingDraft, submitLabel, toastTitle, renderText, renderQuestions, onCancel, onSaved } =
    props;
  const [view, setView] = useState<EditorView>("write");
  const form = useTemplateForm({ template, startingDraft, toastTitle, onSaved, onProblem: setView });
  const { register, send, errors, content, restoredDraft, newerVersion, save, questions } = form;
  const showsQuestions = view === "questions";

  return (
    <form noValidate onSubmit={(event) => void send(event)}>
      {restoredDraft && (
        <UnsavedNotice at={restoredDraft.at} isOutdated={form.isOutdated} onDiscard={form.discard} />
      )}
      {newerVersion && <NewerVersionNotice version={newerVersion} />}
      <div className="flex min-w-0 flex-col gap-5">
        <div className="grid gap-x-8 gap-y-5 lg:grid-cols-2">
          <Field label="Template Name" error={errors.name?.message}>
            {(control) => <Input {...control} {...register("name")} dir="auto" />}
          </Field>
          <Field label="Description" error={errors.description?.message}>
            {(control) => <Input {...control} {...register("description")} dir="auto" />}
          </Field>
        </div>
        <ViewSwitch
          label="Editor"
          options={editorViews(countQuestions(questions.form))}
          view={view}
          onChange={setView}
          className="lg:self-start"
        />
        {/* The text stays mounted, because its field belongs to the form. */}
        <div hidden={showsQuestions} className={showsQuestions ? "" : "grid gap-x-8 gap-y-5 lg:grid-cols-2"}>
          <div className={view === "preview" ? "max-lg:hidden" : "min-w-0"}>
            <ContentEditor
              field={register("content")}
              content={content}
              error={errors.content?.message}
              asksForInitials={questions.form !== null}
              onInitials={questions.askForInitials}
            />
          </div>
          <div className={view === "preview" ? "min-w-0" : "max-lg:hidden"}>
            <Preview content={content} renderText={renderText} />
          </div>
        </div>
        {showsQuestions && (
          <Fragment key={questions.resetCount}>{renderQuestions(form.questionsProps)}</Fragment>
        )}
      </div>
      {save.isError && (
        <div className="mt-5">
          <FieldError>{`Your text is still here. ${saveProblem(form.questionsProps.refusal, save.error)}`}</FieldError>
        </div>
      )}
      <DialogActions>
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" busy={save.isPending}>
          {submitLabel}
        </Button>
      </DialogActions>
    </form>
  );
}

function Preview({ content, renderText }: { content: string; renderText: RenderText }) {
  // The preview is deferred, so that typing stays fast in a long text.
  const previewContent = useDeferredValue(content);
  return (
    <section aria-label="Preview" className="flex flex-col gap-1.5 lg:sticky lg:top-0">
      <h3 className="text-sm font-medium">As your guest will see it</h3>
      <div
        tabIndex={0}
        className="max-h-[60dvh] min-h-48 overflow-y-auto rounded-control border border-line bg-ground p-5"
      >
        {previewContent.trim() ? (
          renderText(previewContent)
        ) : (
          <p className="text-muted">Nothing written yet.</p>
        )}
      </div>
    </section>
  );
}

/** If the server refused the questions, the reason is shown beside the question, and this text only points to it. */
function saveProblem(refusal: FormRefusal | null, error: Error): string {
  return refusal ? "Please look at what is marked in the questions." : error.message;
}

/** On a wide screen the text and its preview are side by side, so the option for the preview is hidden. */
function editorViews(questionCount: number): { view: EditorView; label: string; className?: string }[] {
  return [
    { view: "write", label: "Write" },
    { view: "preview", label: "Preview", className: "lg:hidden" },
    { view: "questions", label: questionCount > 0 ? `Questions (${questionCount})` : "Questions" },
  ];
}
