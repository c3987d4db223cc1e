import { useDeferredValue, useState, type ReactNode } from "react";
import { Button } from "~/ui/button";
import { DialogActions } from "~/ui/dialog";
import { Field, FieldError } from "~/ui/field";
import { Input } from "~/ui/input";
import type { Template } from "../model";
import { useTemplateForm } from "../use-template-form";
import { ContentEditor } from "./content-editor";
import { NewerVersionNotice } from "./newer-version-notice";
import { UnsavedNotice } from "./unsaved-notice";

/** Renders the Markdown as guests will see it. Passed in, because another feature implements it. */
export type RenderText = (content: string) => ReactNode;

type Props = {
  template?: Template;
  /** The label of the submit button. */
  action: string;
  /** The title of the toast after saving. */
  savedTitle: string;
  renderText: RenderText;
  onCancel: () => void;
  onSaved: () => void;
};

export function TemplateForm({ template, action, savedTitle, renderText, onCancel, onSaved }: Props) {
  const { register, send, errors, content, restored, isOutdated, newerVersion, discard, save } =
    useTemplateForm(template, savedTitle, onSaved);
  const [shown, setShown] = useState<"write" | "preview">("write");

  return (
    <form noValidate onSubmit={(event) => void send(event)}>
      {restored && <UnsavedNotice at={restored.at} isOutdated={isOutdated} onDiscard={discard} />}
      {newerVersion && <NewerVersionNotice version={newerVersion} />}
      <div className="grid gap-x-8 gap-y-5 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-5">
          <Field label="Template Name" error={errors.name?.message}>
            {(control) => <Input {...control} {...register("name")} dir="auto" />}
          </Field>
          <Field label="Description" error={errors.description?.message}>
            {(control) => <Input {...control} {...register("description")} dir="auto" />}
          </Field>
          <WriteOrPreview shown={shown} onShow={setShown} />
          <div className={shown === "preview" ? "max-lg:hidden" : undefined}>
            <ContentEditor field={register("content")} content={content} error={errors.content?.message} />
          </div>
        </div>
        <div className={shown === "write" ? "max-lg:hidden" : undefined}>
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
          {action}
        </Button>
      </DialogActions>
    </form>
  );
}

function Preview({ content, renderText }: { content: string; renderText: RenderText }) {
  // Deferred, so that typing stays fast in a long text.
  const deferred = useDeferredValue(content);
  return (
    <section aria-label="Preview" className="flex flex-col gap-1.5 lg:sticky lg:top-0">
      <h3 className="text-sm font-medium">As your guest will see it</h3>
      <div
        tabIndex={0}
        className="max-h-[60dvh] min-h-48 overflow-y-auto rounded-control border border-line bg-ground p-5"
      >
        {deferred.trim() ? renderText(deferred) : <p className="text-muted">Nothing written yet.</p>}
      </div>
    </section>
  );
}

type Shown = "write" | "preview";
const LABELS = { write: "Write", preview: "Preview" } as const;

/** Switches between the editor and the preview on narrow screens, where only one of them fits. */
function WriteOrPreview({ shown, onShow }: { shown: Shown; onShow: (shown: Shown) => void }) {
  return (
    <div className="flex gap-1 rounded-control bg-sunken p-1 lg:hidden">
      {(["write", "preview"] as const).map((option) => (
        <button
          key={option}
          type="button"
          aria-pressed={shown === option}
          onClick={() => onShow(option)}
          className="h-11 grow rounded-lg px-3 text-sm font-medium text-muted aria-pressed:bg-surface aria-pressed:text-foreground aria-pressed:shadow-xs"
        >
          {LABELS[option]}
        </button>
      ))}
    </div>
  );
}
