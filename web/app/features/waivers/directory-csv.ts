import { csvLine } from "~/lib/csv";
import { isoMinute } from "~/lib/dates";
import { STATUS_LABELS, type DirectoryRow } from "./model";

/**
 * Superseded and erased waivers have no filter of their own. The filter Revoked finds superseded ones. Erased
 * ones are found by Revoked if they were revoked, and by Signed if not.
 */
const CSV_STATUSES = { ...STATUS_LABELS, superseded: "Superseded", erased: "Erased" };

// The column "Recipient" contains the name of the signer if the waiver is signed.
export const CSV_COLUMNS = ["Template", "Recipient", "Email", "Status", "Date"];
// Without a byte order mark, spreadsheet programs read the file in the wrong encoding.
export const BYTE_ORDER_MARK = "\uFEFF";

export const CSV_HEADER = BYTE_ORDER_MARK + csvLine(CSV_COLUMNS);

export const csvCells = ({ templateName, name, email, status, at }: DirectoryRow): string[] => [
  templateName,
  name,
  email,
  CSV_STATUSES[status],
  at ? isoMinute(new Date(at)) : "N/A",
];

export const csvRow = (row: DirectoryRow): string => csvLine(csvCells(row));
