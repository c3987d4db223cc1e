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
  const [base] = useState(template);
  const [saved] = useState<TemplateDraft>(() => wordsOf(template));
  const [found, setFound] = useState(() => unsavedDraft(base));
  const { register, handleSubmit, formState, control, reset } = useForm<TemplateDraft>({
    resolver: zodResolver(templateDraft),
    defaultValues: found ? wordsOf(found) : saved,
  });
  const { name = "", description = "", content = "" } = useWatch({ control });
  const save = useSaveTemplate();

  useEffect(() => {
    const draft = { name, description, content };
    const kept = unsavedDraft(base);
    if (isSameDraft(draft, saved)) forgetUnsaved(base);
    else if (!kept || !isSameDraft(draft, kept)) keepUnsaved(draft, base);
  }, [base, saved, name, description, content]);

  // Unless one's own save is under way, which is heard of like anybody's, or has been refused, which says the same.
  const newer = save.isIdle && template && base && template.version > base.version ? template.version : null;
  // Against the version that was opened; whoever was told of a newer one may go past it.
  const against = save.isError || newer ? template : base;
  const send = handleSubmit((draft) =>
    save.mutate(against ? { draft, template: against } : { draft }, {
      onSuccess: () => {
        forgetUnsaved(base);
        toast({ title: done, description: draft.name });
        onSaved();
      },
    }),
  );
  const discard = () => {
    reset(saved);
    setFound(null);
  };
  const isOvertaken = found !== null && base !== undefined && found.version < base.version;
  return { register, send, errors: formState.errors, content, found, isOvertaken, newer, discard, save };
}

function wordsOf({ name = "", description = "", content = "" }: Partial<TemplateDraft> = {}): TemplateDraft {
  return { name, description, content };
}
