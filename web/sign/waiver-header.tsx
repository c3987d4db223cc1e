import { UNNAMED_COMPANY } from "../app/features/signing/model";
import { Mark } from "../app/ui/logo";
import type { Waiver } from "./waiver";

export function WaiverHeader({ waiver }: { waiver: Waiver }) {
  return (
    <header className="title">
      {waiver.company !== UNNAMED_COMPANY && (
        <p className="company">
          <Mark className="stones" />
          <bdi>{waiver.company}</bdi>
        </p>
      )}
      <h1 dir="auto">{waiver.name}</h1>
      {waiver.description && <p dir="auto">{waiver.description}</p>}
    </header>
  );
}
