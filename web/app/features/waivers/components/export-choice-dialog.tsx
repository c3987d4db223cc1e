import { lazy, Suspense } from "react";
import type { ExportChoice } from "../api/export-directory";

const ExportDialog = lazy(() => import("./export-dialog"));

/** Loads the dialog only for companies that have to choose. */
export const ExportChoiceDialog = ({ choice }: { choice: ExportChoice | null }) =>
  choice && (
    <Suspense>
      <ExportDialog {...choice} />
    </Suspense>
  );
