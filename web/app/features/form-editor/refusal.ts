import type { FormRefusal } from "~/lib/waiver-form/editor-props";
import type { Problem } from "./problems";

/** Turns a refusal into a problem at its question, at a field of "Whom a signature covers", or above everything. */
export function refusalProblem({ place, problem }: FormRefusal): Problem {
  const text = `The server did not accept this: ${problem}.`;
  const [, position] = /^questions\[(\d+)\]/.exec(place) ?? [];
  if (position) return { question: Number(position), field: "question", text };
  return { question: null, field: place.replace(/^covers\.(minors\.)?/, ""), text };
}
