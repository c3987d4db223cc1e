import { useState } from "react";
import { authorizedFetch } from "~/lib/api";
import { saveFile } from "~/lib/save-file";
import { toast } from "~/ui/toast-store";

/** Downloads the evidence pack of one waiver, or the signed heads of the company. */
export function useDownloadEvidence() {
  const [isFetching, setFetching] = useState(false);
  const download = async (call: string, parameters: object, fileName: string) => {
    setFetching(true);
    toast(await fetchFile(call, parameters, fileName).catch(() => FAILED_TOAST));
    setFetching(false);
  };
  return {
    isFetching,
    downloadPack: (waiverId: string) => download("evidence-pack", { waiver_id: waiverId }, "evidence.zip"),
    downloadHeads: () => download("export-heads", {}, "heads.json"),
  };
}

const FAILED_TOAST = {
  title: "Error",
  description: "The file could not be downloaded. Please try again.",
  destructive: true,
};

/** The client library would read a ZIP file as text, so the request is sent without it. */
async function fetchFile(call: string, parameters: object, fileName: string) {
  const response = await authorizedFetch(`/functions/v1/${call}`, {
    method: "POST",
    body: JSON.stringify(parameters),
  });
  if (!response.ok) {
    const { error } = await response.json();
    return { title: "Error", description: error, destructive: true };
  }
  saveFile(await response.blob(), fileName);
  return { title: "Downloaded", description: `${fileName} is in your downloads.` };
}
