import { Fragment } from "react";
import type { FormEditorProps } from "~/lib/waiver-form/editor-props";
import { FieldError } from "~/ui/field";
import { nameOf } from "../changes";
import { useFormEditor } from "../use-form-editor";
import { AddQuestions } from "./add-questions";
import { CoversFields, COVER_FIELDS } from "./covers-fields";
import { QuestionCard } from "./question-card";
import { RemovedQuestion } from "./removed-question";

/** Edits the questions of a template, and whom one signature covers. */
export default function FormEditor(props: FormEditorProps) {
  const { root, edited, currentForm, problems, openId, newId, announcement, actions, add, setCovers, undo } =
    useFormEditor(props);
  const removedQuestion = edited.removed && (
    <RemovedQuestion
      // Because of this key, the Undo button gets the focus again for each removed question.
      key={edited.removed.item.id}
      name={nameOf(edited.removed.item.question)}
      onUndo={undo}
    />
  );
  const generalProblems = problems.filter(
    ({ question, field }) => question === null && !COVER_FIELDS.has(field),
  );

  return (
    <div ref={root} className="flex flex-col gap-6">
      {generalProblems.map(({ text }) => (
        <FieldError key={text}>{text}</FieldError>
      ))}
      <section aria-label="Questions" className="flex flex-col gap-3">
        <h3 className="font-semibold">Questions</h3>
        {edited.items.length === 0 && !edited.removed && (
          <p className="text-muted">
            Nothing is asked yet: guests read the text and sign it. Add questions below.
          </p>
        )}
        <ol className="flex flex-col gap-3">
          {edited.items.map((item, position) => (
            <Fragment key={item.id}>
              {edited.removed?.position === position && removedQuestion}
              <QuestionCard
                item={item}
                position={position}
                form={currentForm}
                problems={problems.filter(({ question }) => question === position)}
                showsEmptyFields={props.failedAttempts > 0}
                isOpen={openId === item.id}
                isNew={newId === item.id}
                actions={actions}
              />
            </Fragment>
          ))}
          {edited.removed?.position === edited.items.length && removedQuestion}
        </ol>
        <p role="status" className="sr-only">
          {announcement}
        </p>
        <AddQuestions count={edited.items.length} onAdd={add} />
      </section>
      <CoversFields
        covers={edited.covers}
        problems={problems.filter(({ question }) => question === null)}
        onChange={setCovers}
      />
    </div>
  );
}
