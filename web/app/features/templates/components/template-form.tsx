import { useDeferredValue, useState, type ReactNode } from "react";
import { Button } from "~/ui/button";
import { DialogActions } from "~/ui/dialog";
import { Field, FieldError } from "~/ui/field";
import { Input } from "~/ui/input";
import type { TemplateDraft } from "../draft";
import type { Template } from "../model";
import { useTemplateForm } from "../use-template-form";
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
  onCancel: () => void;
  onSaved: () => void;
};

export function TemplateForm(props: Props) {
  const { template, startingDraft, submitLabel, toastTitle, renderText, onCancel, onSaved } = props;
  const { register, send, errors, content, restoredDraft, isOutdated, newerVersion, discard, save } =
    useTemplateForm({ template, startingDraft, toastTitle, onSaved });
  const [view, setView] = useState<EditorView>("write");

  return (
    <form noValidate onSubmit={(event) => void send(event)}>
      {restoredDraft && <UnsavedNotice at={restoredDraft.at} isOutdated={isOutdated} onDiscard={discard} />}
      {newerVersion && <NewerVersionNotice version={newerVersion} />}
      <div className="grid gap-x-8 gap-y-5 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-5">
          <Field label="Template Name" error={errors.name?.message}>
            {(control) => <Input {...control} {...register("name")} dir="auto" />}
          </Field>
          <Field label="Description" error={errors.description?.message}>
            {(control) => <Input {...control} {...register("description")} dir="auto" />}
          </Field>
          {/* Only one of the two fits on a narrow screen. */}
          <ViewSwitch
            label="Editor"
            options={EDITOR_VIEWS}
            view={view}
            onChange={setView}
            className="lg:hidden"
          />
          <div className={view === "preview" ? "max-lg:hidden" : undefined}>
            <ContentEditor field={register("content")} content={content} error={errors.content?.message} />
          </div>
        </div>
        <div className={view === "write" ? "max-lg:hidden" : undefined}>
          <Preview content={content} renderText={renderText} />
        </div>
      </div>
      {save.isError && (
        <div className="mt-5">
          <FieldError>{`Your text is still here. ${save.error.message}`}</FieldError>
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

type EditorView = "write" | "preview";
const EDITOR_VIEWS: { view: EditorView; label: string }[] = [
  { view: "write", label: "Write" },
  { view: "preview", label: "Preview" },
];
