import type { ReactNode } from "react";
import { Card } from "~/ui/card";

/** Shows the text of a waiver on its page, no wider than it can be read well. */
export function WaiverTextCard({ children }: { children: ReactNode }) {
  return (
    <Card aria-label="Waiver content" className="min-w-0 p-5 sm:p-8">
      <div className="max-w-prose">{children}</div>
    </Card>
  );
}

export const NO_CONTENT = <p className="text-muted">No content available</p>;
