import { zodResolver } from "@hookform/resolvers/zod";
import { useEffect, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { toast } from "~/ui/toast-store";
import { useSaveTemplate } from "./api/save-template";
import { isSameDraft, templateDraftSchema, type TemplateDraft } from "./draft";
import type { Template } from "./model";
import { deleteUnsavedDraft, saveUnsavedDraft, readUnsavedDraft } from "./unsaved-draft";

/** The form of one template. Changes are kept in the browser until they are saved or discarded. */
export function useTemplateForm(template: Template | undefined, savedTitle: string, onSaved: () => void) {
  const [base] = useState(template);
  const [saved] = useState<TemplateDraft>(() => draftOf(template));
  const [restored, setRestored] = useState(() => readUnsavedDraft(base));
  const { register, handleSubmit, formState, control, reset } = useForm<TemplateDraft>({
    resolver: zodResolver(templateDraftSchema),
    defaultValues: restored ? draftOf(restored) : saved,
  });
  const { name = "", description = "", content = "" } = useWatch({ control });
  const save = useSaveTemplate();

  useEffect(() => {
    const draft = { name, description, content };
    const stored = readUnsavedDraft(base);
    if (isSameDraft(draft, saved)) deleteUnsavedDraft(base);
    else if (!stored || !isSameDraft(draft, stored)) saveUnsavedDraft(draft, base);
  }, [base, saved, name, description, content]);

  // Hidden during our own save, which also raises the version, and after a refused save, which shows its own message.
  const newerVersion =
    save.isIdle && template && base && template.version > base.version ? template.version : null;
  // The save must match the opened version, or the newest one if the user has been notified of it.
  const expected = save.isError || newerVersion ? template : base;
  const send = handleSubmit((draft) =>
    save.mutate(expected ? { draft, template: expected } : { draft }, {
      onSuccess: () => {
        deleteUnsavedDraft(base);
        toast({ title: savedTitle, description: draft.name });
        onSaved();
      },
    }),
  );
  const discard = () => {
    reset(saved);
    setRestored(null);
  };
  const isOutdated = restored !== null && base !== undefined && restored.version < base.version;
  return {
    register,
    send,
    errors: formState.errors,
    content,
    restored,
    isOutdated,
    newerVersion,
    discard,
    save,
  };
}

function draftOf({ name = "", description = "", content = "" }: Partial<TemplateDraft> = {}): TemplateDraft {
  return { name, description, content };
}
