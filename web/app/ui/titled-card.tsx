import { useId, type ReactNode } from "react";
import { Card } from "./card";

type Props = { title: string; className?: string; titleClassName?: string; children: ReactNode };

/** A card that screen readers announce by its title. */
export function TitledCard({ title, className = "p-5 sm:p-6", titleClassName = "", children }: Props) {
  const id = useId();
  return (
    <Card aria-labelledby={id} className={className}>
      <h2 id={id} className={`font-semibold ${titleClassName}`}>
        {title}
      </h2>
      {children}
    </Card>
  );
}
