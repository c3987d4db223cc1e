import type { FlagRule, Question } from "~/lib/waiver-form/types";
import { choicesOf, valueText } from "./conditions";
import { withoutFields } from "./fields";
import { hasOptions } from "./kinds";

export type FlagKind = "yes" | "no" | "filled" | "one_of" | "age_below";

export function flagKindsOf(question: Question): FlagKind[] {
  if (question.kind === "yes_no") return ["yes", "no"];
  if (question.kind === "birth_date") return ["age_below", "filled"];
  return hasOptions(question) ? ["one_of", "filled"] : ["filled"];
}

export function flagKindOf({ when }: FlagRule): FlagKind {
  if (typeof when === "string") return when;
  return "one_of" in when ? "one_of" : "age_below";
}

const USUAL_CHILD_AGE = 12;

export function makeWhen(question: Question, kind: FlagKind): FlagRule["when"] {
  if (kind === "age_below") return { age_below: USUAL_CHILD_AGE };
  if (kind !== "one_of") return kind;
  return {
    one_of: choicesOf(question)
      .slice(0, 1)
      .map(({ value }) => value),
  };
}

/** Returns the first proposal for a flag. The company still has to write its text. */
export function proposeFlag(question: Question): FlagRule {
  const [kind = "filled"] = flagKindsOf(question);
  return { when: makeWhen(question, kind), text: "" };
}

export function flagKindText(question: Question, kind: FlagKind): string {
  if (kind === "age_below") return "the age is below";
  if (kind === "one_of") return "the answer is one of";
  if (kind === "filled") return question.kind === "agreement" ? "the box is ticked" : "there is an answer";
  return kind === "yes" ? "the answer is Yes" : "the answer is No";
}

/** For example: "Show staff 'Asthma' when the answer is Yes". */
export function flagText(question: Question, flag: FlagRule): string {
  const kind = flagKindOf(flag);
  const values =
    typeof flag.when === "string"
      ? ""
      : "one_of" in flag.when
        ? valueText(question, flag.when.one_of)
        : String(flag.when.age_below);
  const condition = kind === "one_of" ? "the answer is" : flagKindText(question, kind);
  return ["Show staff", `'${flag.text.trim()}'`, "when", condition, values].filter(Boolean).join(" ");
}

export function withFlag(question: Question, flag: FlagRule | null): Question {
  return flag ? { ...question, flag } : withoutFields(question, "flag");
}
