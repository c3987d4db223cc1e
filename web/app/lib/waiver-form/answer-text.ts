import type { Answer, Fields, Question } from "./types";

/** The fields of an address or an emergency contact, in the order of the signed document. The database sorts them by name. */
const FIELD_ORDER = ["name", "relationship", "phone", "street", "postal_code", "city", "region", "country"];

/** Returns the answer as a person would say it. */
export function answerText({ kind, options = [] }: Question, answer: Answer): string {
  if (answer === null) return "";
  if (typeof answer === "boolean") return kind === "agreement" ? "Agreed" : answer ? "Yes" : "No";
  if (kind === "photo") return "Photo added";
  const labelOf = (value: string) => options.find((option) => option.value === value)?.label ?? value;
  if (Array.isArray(answer)) return answer.map(labelOf).join(", ");
  if (typeof answer === "object") return fieldsText(answer);
  if (kind === "date" || kind === "birth_date") return dateText(String(answer));
  return kind === "one_of" ? labelOf(String(answer)) : String(answer);
}

function fieldsText(fields: Fields): string {
  return FIELD_ORDER.flatMap((name) => fields[name] ?? []).join(", ");
}

export function dateText(day: string): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date).toLocaleDateString("en", { dateStyle: "long" });
}
