import { useId, type ReactNode } from "react";
import { Card } from "./card";

/** A card that screen readers announce by its title. */
export function TitledCard({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <Card aria-labelledby={id} className="p-5 sm:p-6">
      <h2 id={id} className="font-semibold">
        {title}
      </h2>
      {children}
    </Card>
  );
}
