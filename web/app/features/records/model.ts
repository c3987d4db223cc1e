/** The number of months for which signed waivers are kept. Null means that they are kept for good. */
export type Months = number | null;

const YEARS = [3, 5, 7, 10, 15, 21, 25];

/** Returns the choices of the form. A saved value that is not among them is a choice too. */
export function retentionChoices(saved: Months): { months: Months; label: string }[] {
  const months = [...new Set([...YEARS.map((years) => years * 12), ...(saved === null ? [] : [saved])])];
  return [
    { months: null, label: "For good" },
    ...months.toSorted((a, b) => a - b).map((count) => ({ months: count, label: duration(count) })),
  ];
}

export const duration = (months: number): string =>
  months % 12 === 0 ? countText(months / 12, "year") : countText(months, "month");

export const countText = (number: number, noun: string): string =>
  `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
