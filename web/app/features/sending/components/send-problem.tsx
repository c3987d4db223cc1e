import { FieldError } from "~/ui/field";

/** The invalid fields refer to this id in aria-describedby. */
export const PROBLEM_ID = "send-problem";

export function SendProblem({ children }: { children: string }) {
  return (
    children && (
      <div id={PROBLEM_ID}>
        <FieldError>{children}</FieldError>
      </div>
    )
  );
}
