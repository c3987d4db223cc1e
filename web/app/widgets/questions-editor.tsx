import { readForm } from "~/features/form-editor/edited-form";
import FormEditor from "~/features/form-editor/components/form-editor";
import type { FormEditorProps } from "~/lib/waiver-form/editor-props";
import { QuestionsPreview } from "./questions-preview";

/** Edits the questions of a template and shows them as guests will see them. */
export default function QuestionsEditor(props: FormEditorProps) {
  return (
    <div className="grid items-start gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <FormEditor {...props} />
      {props.form && <QuestionsPreview form={readForm(props.form)} />}
    </div>
  );
}
