/** How much the company can still send. `null` means that there is no limit, and undefined that it is not known yet. */
export type Remaining = {
  emailsToday: number | null | undefined;
  waiversThisMonth: number | null | undefined;
};

/** Says how many of the people a limit leaves out. Returns undefined if all of them fit. */
export function shortage(count: number, { emailsToday, waiversThisMonth }: Remaining): string | undefined {
  const today = emailsToday ?? Infinity;
  const thisMonth = waiversThisMonth ?? Infinity;
  const fitting = Math.min(today, thisMonth);
  if (count <= fitting) return undefined;
  const limit =
    today <= thisMonth
      ? `${emailCount(today)} today`
      : `${thisMonth} more ${thisMonth === 1 ? "waiver" : "waivers"} this month`;
  const left = count - fitting;
  const rest = left === 1 ? "The last one stays" : `The other ${left} stay`;
  return `You can send ${limit}. ${fitting === 0 ? "The list stays" : rest} here until you can send more.`;
}

const emailCount = (count: number): string => `${count} more ${count === 1 ? "email" : "emails"}`;

/** Says how many waivers the plan still covers, or undefined if there is no limit. */
export function planSentence({ waiversThisMonth }: Remaining): string | undefined {
  if (waiversThisMonth === null || waiversThisMonth === undefined) return undefined;
  const waivers =
    waiversThisMonth === 1 ? "1 more waiver" : `${waiversThisMonth.toLocaleString("en")} more waivers`;
  return `Your plan covers ${waivers} this month.`;
}
