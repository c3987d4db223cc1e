/** `number` is the number of the row in the spreadsheet, in which blank rows and the heading count. */
export type TableRow = { number: number; cells: string[] };
