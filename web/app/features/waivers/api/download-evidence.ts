import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { downloadResult } from "~/lib/download-result";
import { toast } from "~/ui/toast-store";

/** Downloads the evidence pack of one waiver, or the signed heads of the company. */
export function useDownloadEvidence() {
  const queries = useQueryClient();
  const [isFetching, setFetching] = useState(false);
  const download = async (name: string, parameters: object, fileName: string) => {
    setFetching(true);
    toast(await downloadResult(name, parameters, fileName));
    setFetching(false);
    // The export is part of the history, which may be on the screen.
    await queries.invalidateQueries({ queryKey: ["waivers", "timeline"] });
  };
  return {
    isFetching,
    downloadPack: (waiverId: string) => download("evidence-pack", { waiver_id: waiverId }, "evidence.zip"),
    downloadHeads: () => download("export-heads", {}, "heads.json"),
  };
}
