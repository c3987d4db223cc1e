import type { TemplateRow } from "~/lib/database";

export type Template = {
  id: string;
  name: string;
  description: string;
  content: string;
  /** The questions of the template, and whom a signature covers. Null if it has no form. */
  form: object | null;
  version: number;
  createdAt: string;
  updatedAt: string;
  archivedAt: string | null;
  isSample: boolean;
};

export function toTemplate(row: TemplateRow): Template {
  const { id, name, description, content, form, version, created_at, updated_at, archived_at, company_id } =
    row;
  return {
    id,
    name,
    description,
    content,
    form,
    version,
    createdAt: created_at,
    updatedAt: updated_at,
    archivedAt: archived_at,
    isSample: company_id === null,
  };
}

/** Sorts templates newest first, with the company's own before the samples. */
export function sortTemplates(templates: Template[]): Template[] {
  return templates.toSorted(
    (a, b) => Number(a.isSample) - Number(b.isSample) || b.createdAt.localeCompare(a.createdAt),
  );
}

/** A template without text cannot be sent, because there would be nothing to sign. */
export const isBlank = ({ content }: Pick<Template, "content">): boolean => content.trim() === "";

const MAX_NAME_LENGTH = 200;

export function duplicateDraft({ name, description, content, form }: Template) {
  return { name: `Copy of ${name}`.slice(0, MAX_NAME_LENGTH), description, content, form };
}

const STRING_FIELDS = ["id", "name", "description", "content", "createdAt", "updatedAt"];

/** Returns the cached templates, or null if the cache is malformed. */
export function parseCachedTemplates(cached: unknown): Template[] | null {
  return Array.isArray(cached) && cached.every(isTemplate) ? cached : null;
}

function isTemplate(value: unknown): value is Template {
  if (typeof value !== "object" || value === null) return false;
  const fields = new Map(Object.entries(value));
  return (
    STRING_FIELDS.every((key) => typeof fields.get(key) === "string") &&
    typeof fields.get("isSample") === "boolean" &&
    typeof fields.get("version") === "number" &&
    typeof fields.get("form") === "object" &&
    (fields.get("archivedAt") === null || typeof fields.get("archivedAt") === "string")
  );
}
