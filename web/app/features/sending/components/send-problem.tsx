import { FieldError } from "~/ui/field";

/** What the fields it is about point to. */
export const PROBLEM = "send-problem";

export function SendProblem({ children }: { children: string }) {
  return (
    children && (
      <div id={PROBLEM}>
        <FieldError>{children}</FieldError>
      </div>
    )
  );
}
