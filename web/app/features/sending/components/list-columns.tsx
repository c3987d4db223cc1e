import { CheckboxField } from "~/ui/checkbox-field";
import { Field } from "~/ui/field";
import { Select } from "~/ui/select";
import { roleOf, type Role } from "../list/columns";
import type { Delimiter } from "../list/parse-table";
import type { Preview } from "../list/preview";

const ROLE_LABELS: Record<Role, string> = {
  name: "Name",
  firstName: "First name",
  lastName: "Last name",
  email: "Email",
  phone: "Mobile number",
  ignored: "Not used",
};
const ROLES: Role[] = ["name", "firstName", "lastName", "email", "phone", "ignored"];

const DELIMITERS: { label: string; delimiter: Delimiter }[] = [
  { label: "Tabs", delimiter: "\t" },
  { label: "Commas", delimiter: "," },
  { label: "Semicolons", delimiter: ";" },
];

type Props = {
  preview: Preview;
  withPhoneNumbers: boolean;
  onRole: (column: number, role: Role) => void;
  onHeading: (hasHeading: boolean) => void;
  onDelimiter: (delimiter: Delimiter) => void;
};

/** Shows what each column was taken for, and lets the user change it. */
export function ListColumns({ preview, withPhoneNumbers, onRole, onHeading, onDelimiter }: Props) {
  const { table, columns } = preview;
  const roles = ROLES.filter((role) => withPhoneNumbers || role !== "phone");
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-2 font-medium">What the columns contain</legend>
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4">
        {columns.roles.map((role, column) => (
          // oxlint-disable-next-line react/no-array-index-key -- a column has no other identity
          <Field
            key={column}
            label={`Column ${column + 1}`}
            hint={<Example preview={preview} column={column} />}
          >
            {(control) => (
              <Select
                {...control}
                value={role}
                onChange={({ target }) => onRole(column, roleOf(target.value))}
              >
                {roles.map((option) => (
                  <option key={option} value={option}>
                    {ROLE_LABELS[option]}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        ))}
        {table.delimiter !== null && (
          <Field label="Columns are separated by">
            {(control) => (
              <Select
                {...control}
                value={DELIMITERS.findIndex(({ delimiter }) => delimiter === table.delimiter)}
                onChange={({ target }) => onDelimiter(DELIMITERS[Number(target.value)]?.delimiter ?? ",")}
              >
                {DELIMITERS.map(({ label }, index) => (
                  <option key={label} value={index}>
                    {label}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        )}
      </div>
      {table.delimiter !== null && (
        <CheckboxField checked={columns.hasHeading} onChange={({ target }) => onHeading(target.checked)}>
          The first row is a heading
        </CheckboxField>
      )}
    </fieldset>
  );
}

/** Shows the heading and the first filled cell of a column. */
function Example({ preview: { table, columns }, column }: { preview: Preview; column: number }) {
  const [first, ...others] = table.rows;
  const heading = columns.hasHeading ? first?.cells[column] : undefined;
  const rows = columns.hasHeading ? others : table.rows;
  const example = rows.find(({ cells }) => cells[column])?.cells[column];
  return (
    <span dir="auto" className="block truncate">
      {[heading, example].filter(Boolean).join(": ") || "Empty"}
    </span>
  );
}
