/** Returns a copy without these fields. */
export function withoutFields<Value extends object, Field extends keyof Value>(
  value: Value,
  ...fields: Field[]
): Omit<Value, Field> {
  const copy = { ...value };
  for (const field of fields) delete copy[field];
  return copy;
}
