export type Order = { cents: number; description: string };

const DEFAULT_ORDER: Order = { cents: 999, description: "Waiver Service" };
const MAX_DESCRIPTION_LENGTH = 200;

/**
 * Reads the order from the query string. An amount that is not a positive whole number of cents becomes the default.
 * Line breaks and control characters in the description become spaces.
 */
export function parseOrder(search: string): Order {
  const query = new URLSearchParams(search);
  const amount = query.get("amount") ?? "";
  const description = (query.get("description") ?? "")
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, MAX_DESCRIPTION_LENGTH);
  const isAmount = /^[0-9]+$/.test(amount) && Number.isSafeInteger(Number(amount)) && Number(amount) > 0;
  return {
    cents: isAmount ? Number(amount) : DEFAULT_ORDER.cents,
    description: description || DEFAULT_ORDER.description,
  };
}
