export type Order = { cents: number; description: string };

const DEFAULTS: Order = { cents: 999, description: "Waiver Service" };
const LONGEST = 200;

/** What the address bar asks for. Anything that is not a positive whole number of cents is the default amount. */
export function orderIn(search: string): Order {
  const query = new URLSearchParams(search);
  const amount = query.get("amount") ?? "";
  const description = (query.get("description") ?? "")
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, LONGEST);
  const isAmount = /^[0-9]+$/.test(amount) && Number.isSafeInteger(Number(amount)) && Number(amount) > 0;
  return {
    cents: isAmount ? Number(amount) : DEFAULTS.cents,
    description: description || DEFAULTS.description,
  };
}

export function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`;
}
