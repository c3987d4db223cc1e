import type { ReactNode } from "react";
import type { FormEditorProps, FormRefusal } from "~/lib/waiver-form/editor-props";
import * as z from "~/lib/zod";
import { RequestFailed } from "~/lib/request-failed";

/** Renders the editor of the questions. This is a prop, because another feature implements it. */
export type RenderQuestions = (props: FormEditorProps) => ReactNode;

const refusalSchema = z.object({ place: z.string(), problem: z.string() });

export function formRefusalOf(error: Error | null): FormRefusal | null {
  if (!(error instanceof RequestFailed) || error.code !== "form_invalid") return null;
  return refusalSchema.safeParse(error.details).data ?? null;
}

/** Returns how many questions the form has, without its headings and paragraphs. */
export function countQuestions(form: object | null): number {
  return formSchema.safeParse(form).data?.questions.filter(takesAnswer).length ?? 0;
}

const formSchema = z.object({ questions: z.array(z.object({ kind: z.string() })) });
const TEXT_KINDS = new Set(["heading", "paragraph"]);

/** Headings and paragraphs take no answer. */
export function takesAnswer({ kind }: { kind: string }): boolean {
  return !TEXT_KINDS.has(kind);
}
