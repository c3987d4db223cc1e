import { Button } from "~/ui/button";
import { useDownloadDocument } from "../api/download-document";
import type { DirectoryRow } from "../model";

export function DownloadButton({ row }: { row: DirectoryRow }) {
  const { download, isFetching } = useDownloadDocument();
  const waiver = { id: row.id, template_name: row.templateName, signer_name: row.name };
  return (
    <Button
      variant="ghost"
      size="sm"
      busy={isFetching}
      onClick={() => void download(waiver)}
      aria-label={`Download waiver of ${row.name}`}
    >
      Download
    </Button>
  );
}
