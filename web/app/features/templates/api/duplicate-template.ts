import { toast } from "~/ui/toast-store";
import { duplicateDraft, type Template } from "../model";
import { useSaveTemplate } from "./save-template";

export function useDuplicateTemplate() {
  const { mutate } = useSaveTemplate();
  return (template: Template) => {
    const draft = duplicateDraft(template);
    mutate(
      { draft },
      {
        onSuccess: () => toast({ title: "Template duplicated", description: draft.name }),
        onError: ({ message }) =>
          toast({ title: "The template was not duplicated", description: message, destructive: true }),
      },
    );
  };
}
