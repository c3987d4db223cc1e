import { zodResolver } from "@hookform/resolvers/zod";
import { useEffect, useMemo, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { toast } from "~/ui/toast-store";
import { useSaveTemplate } from "./api/save-template";
import {
  BLANK_DRAFT,
  isSameDraft,
  templateDraftSchema,
  type TemplateDraft,
  type TemplateFields,
} from "./draft";
import type { Template } from "./model";
import { INITIALS } from "./placeholders";
import { formRefusalOf } from "./questions";
import { deleteUnsavedDraft, saveUnsavedDraft, readUnsavedDraft } from "./unsaved-draft";

type Options = {
  template: Template | undefined;
  /** The form of a new template begins with this text instead of the unsaved changes in this browser. */
  startingDraft: TemplateDraft | undefined;
  toastTitle: string;
  onSaved: () => void;
  /** Shows the view in which something has to be corrected. */
  onProblem: (view: EditorView) => void;
};
export type EditorView = "write" | "preview" | "questions";

/** Manages the form of one template. Changes are kept in the browser until they are saved or discarded. */
export function useTemplateForm({ template, startingDraft, toastTitle, onSaved, onProblem }: Options) {
  const [openedTemplate] = useState(template);
  const [savedDraft] = useState<TemplateDraft>(() => draftOf(template));
  const [restoredDraft, setRestoredDraft] = useState(() =>
    startingDraft ? null : readUnsavedDraft(openedTemplate),
  );
  const [initialDraft] = useState(() => draftOf(startingDraft ?? restoredDraft ?? savedDraft));
  const { register, handleSubmit, formState, control, reset } = useForm<TemplateFields>({
    resolver: zodResolver(templateDraftSchema),
    defaultValues: fieldsOf(initialDraft),
  });
  const questions = useQuestions(initialDraft.form);
  const { form } = questions;
  const { name = "", description = "", content = "" } = useWatch({ control });
  const save = useSaveTemplate();

  useEffect(() => {
    const draft = { name, description, content, form };
    const storedDraft = readUnsavedDraft(openedTemplate);
    if (isSameDraft(draft, savedDraft)) deleteUnsavedDraft(openedTemplate);
    else if (!storedDraft || !isSameDraft(draft, storedDraft)) saveUnsavedDraft(draft, openedTemplate);
  }, [openedTemplate, savedDraft, name, description, content, form]);

  // The notice is shown only before the first attempt to save. Our own save also raises the version, and a failed save
  // shows its own message.
  const newerVersion =
    save.isIdle && template && openedTemplate && template.version > openedTemplate.version
      ? template.version
      : null;
  // The server saves only if this is still the current version. It is the opened version, or the newest one after the
  // user was notified of it.
  const expectedTemplate = save.isError || newerVersion ? template : openedTemplate;
  const send = handleSubmit(
    (fields) => {
      if (questions.hasProblems) {
        questions.countFailedAttempt();
        onProblem("questions");
        return;
      }
      const draft = { ...fields, form };
      save.mutate(expectedTemplate ? { draft, template: expectedTemplate } : { draft }, {
        onSuccess: () => {
          deleteUnsavedDraft(openedTemplate);
          toast({ title: toastTitle, description: draft.name });
          onSaved();
        },
        onError: (error) => formRefusalOf(error) && onProblem("questions"),
      });
    },
    ({ content: contentError }) => contentError && onProblem("write"),
  );
  const refusal = useMemo(() => formRefusalOf(save.error), [save.error]);
  const discard = () => {
    reset(fieldsOf(savedDraft));
    questions.reset(savedDraft.form);
    setRestoredDraft(null);
  };
  const isOutdated =
    restoredDraft !== null && openedTemplate !== undefined && restoredDraft.version < openedTemplate.version;
  return {
    register,
    send,
    errors: formState.errors,
    content,
    restoredDraft,
    isOutdated,
    newerVersion,
    discard,
    save,
    questions,
    questionsProps: {
      form,
      savedForm: savedDraft.form,
      hasInitials: content.includes(INITIALS),
      refusal,
      failedAttempts: questions.failedAttempts,
      onChange: questions.change,
    },
  };
}

/** The questions are edited by another feature, which also finds the problems in them. */
function useQuestions(initialForm: object | null) {
  const [form, setForm] = useState(initialForm);
  const [hasProblems, setHasProblems] = useState(false);
  const [failedAttempts, setFailedAttempts] = useState(0);
  const [resetCount, setResetCount] = useState(0);
  return {
    form,
    hasProblems,
    failedAttempts,
    /** The number of resets. The editor of the questions starts again after each one. */
    resetCount,
    change: (nextForm: object | null, nextHasProblems: boolean) => {
      setForm(nextForm);
      setHasProblems(nextHasProblems);
    },
    /** Adds an empty form if there is none, because guests are asked for initials only if there is a form. */
    askForInitials: () => setForm((current) => current ?? { questions: [] }),
    countFailedAttempt: () => setFailedAttempts((count) => count + 1),
    reset: (savedForm: object | null) => {
      setForm(savedForm);
      setHasProblems(false);
      setFailedAttempts(0);
      setResetCount((count) => count + 1);
    },
  };
}

function draftOf({ form, ...fields }: TemplateDraft = BLANK_DRAFT): TemplateDraft {
  return { ...fieldsOf(fields), form };
}

function fieldsOf({ name, description, content }: TemplateFields): TemplateFields {
  return { name, description, content };
}
