import type { TemplateRow } from "~/lib/database";

export type Template = {
  id: string;
  name: string;
  description: string;
  content: string;
  version: number;
  createdAt: string;
  updatedAt: string;
  archivedAt: string | null;
  isSample: boolean;
};

export function fromRow(row: TemplateRow): Template {
  const { id, name, description, content, version, created_at, updated_at, archived_at, company_id } = row;
  return {
    id,
    name,
    description,
    content,
    version,
    createdAt: created_at,
    updatedAt: updated_at,
    archivedAt: archived_at,
    isSample: company_id === null,
  };
}

/** The company's own first, newest first; the samples after them. */
export function inOrder(templates: Template[]): Template[] {
  return templates.toSorted(
    (a, b) => Number(a.isSample) - Number(b.isSample) || b.createdAt.localeCompare(a.createdAt),
  );
}

/** A guest who opens a waiver without words is told that there is none, so nobody is sent one. */
export const isBlank = ({ content }: Pick<Template, "content">): boolean => content.trim() === "";

const LONGEST_NAME = 200;

export function copyOf({ name, description, content }: Template) {
  return { name: `Copy of ${name}`.slice(0, LONGEST_NAME), description, content };
}

const TEXTS = ["id", "name", "description", "content", "createdAt", "updatedAt"];

/** What the browser kept, or nothing when it has been tampered with. */
export function readCached(kept: unknown): Template[] | null {
  return Array.isArray(kept) && kept.every(isTemplate) ? kept : null;
}

function isTemplate(value: unknown): value is Template {
  if (typeof value !== "object" || value === null) return false;
  const facts = new Map(Object.entries(value));
  return (
    TEXTS.every((key) => typeof facts.get(key) === "string") &&
    typeof facts.get("isSample") === "boolean" &&
    typeof facts.get("version") === "number" &&
    (facts.get("archivedAt") === null || typeof facts.get("archivedAt") === "string")
  );
}
