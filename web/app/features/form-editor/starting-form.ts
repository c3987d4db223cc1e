import type { Covers, Form } from "~/lib/waiver-form/types";
import { BLOCKS } from "./blocks";
import { addQuestions } from "./changes";
import { startEditing, toForm } from "./edited-form";

/** Returns a form that asks the questions of these ready-made blocks. */
export function startingForm(blockNames: string[], covers: Covers): Form | null {
  const questions = blockNames.flatMap((name) => {
    const block = BLOCKS.find((candidate) => candidate.name === name);
    if (!block) throw new Error(`There is no block "${name}".`);
    return block.questions;
  });
  return toForm({ ...addQuestions(startEditing(null), questions, new Set()), covers }, false);
}
