import { zodResolver } from "@hookform/resolvers/zod";
import { useEffect, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { toast } from "~/ui/toast-store";
import { useSaveTemplate } from "./api/save-template";
import { isSameDraft, templateDraft, type TemplateDraft } from "./draft";
import type { Template } from "./model";
import { forgetUnsaved, keepUnsaved, unsavedDraft } from "./unsaved";

/** The form of one template. What is typed is kept in the browser until it is saved or thrown away. */
export function useTemplateForm(template: Template | undefined, done: string, onSaved: () => void) {
  const id = template?.id;
  const [saved] = useState<TemplateDraft>(() => wordsOf(template));
  const [found, setFound] = useState(() => unsavedDraft(id));
  const { register, handleSubmit, formState, control, reset } = useForm<TemplateDraft>({
    resolver: zodResolver(templateDraft),
    defaultValues: found ? wordsOf(found) : saved,
  });
  const { name = "", description = "", content = "" } = useWatch({ control });
  const save = useSaveTemplate();

  useEffect(() => {
    const draft = { name, description, content };
    const kept = unsavedDraft(id);
    if (isSameDraft(draft, saved)) forgetUnsaved(id);
    else if (!kept || !isSameDraft(draft, kept)) keepUnsaved(draft, id);
  }, [id, saved, name, description, content]);

  const send = handleSubmit((draft) =>
    save.mutate(template ? { draft, template } : { draft }, {
      onSuccess: () => {
        forgetUnsaved(id);
        toast({ title: done, description: draft.name });
        onSaved();
      },
    }),
  );
  const discard = () => {
    reset(saved);
    setFound(null);
  };
  return { register, send, errors: formState.errors, content, found, discard, save };
}

function wordsOf({ name = "", description = "", content = "" }: Partial<TemplateDraft> = {}): TemplateDraft {
  return { name, description, content };
}
