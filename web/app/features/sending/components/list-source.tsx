import { useRef, useState, type ChangeEvent } from "react";
import { Button } from "~/ui/button";
import { Field } from "~/ui/field";
import { Form } from "~/ui/form";
import { TextareaField } from "~/ui/input-field";
import { Select } from "~/ui/select";
import { decodeListFile, FILE_TOO_LARGE, MAX_FILE_BYTES } from "../list/decode-file";
import type { SendableTemplate } from "../model";

type Props = {
  templates: SendableTemplate[];
  templateId: string;
  onTemplate: (id: string) => void;
  text: string;
  onText: (text: string) => void;
  /** Says why the last text could not be used. */
  problem: string | undefined;
  onPreview: (text: string) => void;
};

/** Asks for the template and the list. Nothing is sent before the preview was shown. */
export function ListSource({ templates, templateId, onTemplate, text, onText, problem, onPreview }: Props) {
  const [fileProblem, setFileProblem] = useState<string>();
  const takeText = (newText: string) => {
    setFileProblem(undefined);
    onText(newText);
  };
  const takeFile = async (file: File) => {
    const decoded = await readListFile(file);
    if ("problem" in decoded) return setFileProblem(decoded.problem);
    takeText(decoded.text);
    onPreview(decoded.text);
  };
  return (
    <Form onSubmit={() => onPreview(text)} className="flex flex-col gap-5">
      <Field label="Waiver">
        {(control) => (
          <Select {...control} value={templateId} onChange={({ target }) => onTemplate(target.value)}>
            {templates.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <TextareaField
        label="Recipients"
        required
        hint="Paste rows from a spreadsheet, or type one person per line. A heading is fine, and so are more columns than name and email."
        error={fileProblem ?? problem}
        value={text}
        onChange={({ target }) => takeText(target.value)}
        rows={8}
        maxLength={MAX_FILE_BYTES}
        dir="auto"
        spellCheck={false}
        placeholder={"Gil Moreau, gil@example.com\nNoor Haddad <noor@example.com>"}
      />
      <div className="flex flex-wrap gap-3 max-sm:[&>*]:grow">
        <Button type="submit">Show preview</Button>
        <FileButton onFile={(file) => void takeFile(file)} />
      </div>
    </Form>
  );
}

const UNREADABLE = "The file could not be read. Please choose it again.";

async function readListFile(file: File) {
  if (file.size > MAX_FILE_BYTES) return { problem: FILE_TOO_LARGE };
  // The browser refuses a file that was changed or moved after it was chosen.
  const bytes = await file.arrayBuffer().catch(() => null);
  return bytes ? decodeListFile(new Uint8Array(bytes)) : { problem: UNREADABLE };
}

function FileButton({ onFile }: { onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    // The field is reset, so that the same file can be chosen again after it was corrected.
    target.value = "";
    if (file) onFile(file);
  };
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".csv,.tsv,.txt,text/csv,text/plain,text/tab-separated-values"
        aria-label="CSV file"
        tabIndex={-1}
        className="sr-only"
        onChange={choose}
      />
      <Button variant="secondary" onClick={() => input.current?.click()}>
        Choose a CSV file
      </Button>
    </>
  );
}
