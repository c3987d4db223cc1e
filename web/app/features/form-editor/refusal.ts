import type { FormRefusal } from "~/lib/waiver-form/editor-props";
import type { Problem } from "./problems";

/** Turns a refusal into a problem of a question, of a field in "Whom a signature covers", or of the form. */
export function refusalProblem({ place, problem }: FormRefusal): Problem {
  const text = `The server did not accept this: ${problem}.`;
  const [, position] = /^questions\[(\d+)\]/.exec(place) ?? [];
  if (position) return { question: Number(position), field: "question", text };
  return { question: null, field: place.replace(/^covers\.(minors\.)?/, ""), text };
}
