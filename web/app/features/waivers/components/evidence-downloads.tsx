import { Button } from "~/ui/button";
import { TitledCard } from "~/ui/titled-card";
import { useDownloadEvidence } from "../api/download-evidence";

/** Offers the files that a company can keep outside of Cairn as evidence of a signed waiver. */
export function EvidenceDownloads({ waiverId }: { waiverId: string }) {
  const { downloadPack, downloadHeads, isFetching } = useDownloadEvidence();
  return (
    <TitledCard title="Evidence">
      <p className="mt-2 text-sm text-muted">
        The evidence pack has everything about this waiver for a lawyer. The signed heads show later whether a
        waiver has disappeared; keep them outside of this service.
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button variant="secondary" size="sm" busy={isFetching} onClick={() => void downloadPack(waiverId)}>
          Download evidence pack
        </Button>
        <Button variant="secondary" size="sm" busy={isFetching} onClick={() => void downloadHeads()}>
          Export signed heads
        </Button>
      </div>
    </TitledCard>
  );
}
