import { useEffect, useRef, useState } from "react";
import type { FormEditorProps, FormRefusal } from "~/lib/waiver-form/editor-props";
import {
  addQuestions,
  changeOption,
  changeQuestion,
  duplicateQuestion,
  moveQuestion,
  nameOf,
  removeQuestion,
  undoRemoval,
  type NewQuestion,
} from "./changes";
import { readForm, startEditing, toForm, type EditedForm } from "./edited-form";
import { findProblems, type Problem } from "./problems";
import { refusalProblem } from "./refusal";
import type { CardActions } from "./card-actions";

/** Manages the form while it is edited: its open question, its problems, and what screen readers announce. */
export function useFormEditor(props: FormEditorProps) {
  const { form, savedForm, hasInitials, refusal, failedAttempts, onChange } = props;
  const [edited, setEdited] = useState(() => startEditing(form));
  const [openId, setOpenId] = useState<number | null>(null);
  const [newId, setNewId] = useState<number | null>(null);
  const [announcement, setAnnouncement] = useState("");
  const currentForm = { covers: edited.covers, questions: edited.items.map(({ question }) => question) };
  const problems = [...findProblems(currentForm), ...useRefusalProblems(refusal, edited)];
  const saved = readForm(savedForm);
  const savedKeys = new Set(saved.questions.map(({ key }) => key));
  const root = useFirstProblemFocus(failedAttempts, refusal, problems, edited, setOpenId);

  const update = (next: EditedForm) => {
    setEdited(next);
    const nextForm = toForm(next, hasInitials);
    onChange(
      nextForm,
      findProblems({ covers: next.covers, questions: nextForm?.questions ?? [] }).length > 0,
    );
  };
  const openNew = (announced: string) => {
    setOpenId(edited.nextId);
    setNewId(edited.nextId);
    setAnnouncement(announced);
  };
  const actions: CardActions = {
    toggle: ({ id }) => setOpenId(openId === id ? null : id),
    change: ({ id }, question) => update(changeQuestion(edited, id, question, savedKeys)),
    changeOption: ({ id, question }, index, label) => {
      const savedQuestion = saved.questions.find(({ key }) => key === question.key);
      const savedValues = new Set(savedQuestion?.options?.map(({ value }) => value));
      update(changeOption(edited, id, index, label, savedValues));
    },
    move: (id, position) => {
      const item = edited.items.find((candidate) => candidate.id === id);
      if (!item) return;
      update(moveQuestion(edited, id, position));
      setAnnouncement(
        `'${nameOf(item.question)}' is now question ${position + 1} of ${edited.items.length}.`,
      );
    },
    duplicate: ({ id }) => {
      update(duplicateQuestion(edited, id, savedKeys));
      openNew("Question duplicated.");
    },
    remove: ({ id }) => update(removeQuestion(edited, id)),
  };
  return {
    root,
    edited,
    currentForm,
    problems,
    openId,
    newId,
    announcement,
    actions,
    add: (questions: NewQuestion[]) => {
      update(addQuestions(edited, questions, savedKeys));
      if (questions.length === 1) openNew("Question added.");
      else setAnnouncement(`${questions.length} questions added.`);
    },
    setCovers: (covers: EditedForm["covers"]) => update({ ...edited, covers, removed: null }),
    undo: () => update(undoRemoval(edited)),
  };
}

/** A refusal is about the form that was sent, so it is no longer shown after a change. */
function useRefusalProblems(refusal: FormRefusal | null, edited: EditedForm): Problem[] {
  const [shown, setShown] = useState<{ refusal: FormRefusal; edited: EditedForm } | null>(null);
  if (refusal && shown?.refusal !== refusal) setShown({ refusal, edited });
  return shown?.edited === edited ? [refusalProblem(shown.refusal)] : [];
}

/** After a failed attempt to save, opens the first question with a problem and focuses its invalid field. */
function useFirstProblemFocus(
  failedAttempts: number,
  refusal: FormRefusal | null,
  problems: Problem[],
  edited: EditedForm,
  open: (id: number | null) => void,
) {
  const root = useRef<HTMLDivElement>(null);
  const [first] = problems;
  const firstId = first?.question === null ? null : edited.items[first?.question ?? -1]?.id;
  const attempt = `${failedAttempts} ${refusal ? JSON.stringify(refusal) : ""}`;
  // This is the value of `attempt` before anything was saved: no failed attempt and no refusal.
  const [handled, setHandled] = useState("0 ");
  const isNew = attempt !== handled;
  useEffect(() => {
    if (!isNew) return;
    setHandled(attempt);
    if (firstId !== undefined && firstId !== null) open(firstId);
    // The field appears only after the question is open.
    requestAnimationFrame(() => root.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
  }, [isNew, attempt, firstId, open]);
  return root;
}
