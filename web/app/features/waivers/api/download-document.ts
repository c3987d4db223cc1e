import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { SignedWaiverRow } from "~/lib/database";
import { saveFile } from "~/lib/save-file";
import { apiClient } from "~/lib/api";
import { toast } from "~/ui/toast-store";

export type DownloadableWaiver = Pick<SignedWaiverRow, "id" | "template_name" | "signer_name">;

/** Downloads the sealed PDF of a signed waiver; the server returns the same bytes each time. */
export function useDownloadDocument() {
  const queries = useQueryClient();
  const [isFetching, setFetching] = useState(false);
  const download = async (waiver: DownloadableWaiver) => {
    setFetching(true);
    toast({ title: "Downloading PDF", description: "The sealed document is being fetched." });
    toast(await downloadPdf(waiver).catch(() => FAILED_TOAST));
    setFetching(false);
    // The download is part of the history, which may be on the screen.
    await queries.invalidateQueries({ queryKey: ["waivers", "timeline"] });
  };
  return { download, isFetching };
}

const FAILED_TOAST = { title: "Error", description: "Failed to download the document", destructive: true };
const PREPARING_TOAST = {
  title: "Document being prepared",
  description: "The waiver is signed and stored. Please try again in a moment.",
};
const TOO_LONG_TOAST = {
  title: "No PDF of this waiver",
  description:
    "It is signed and stored, but its text is too long for a PDF. A shorter template will have one.",
  destructive: true,
};
const TOO_LONG_STATUS = 422;

async function downloadPdf(waiver: DownloadableWaiver) {
  const supabase = await apiClient();
  const { data, error } = await supabase.functions.invoke<unknown>("waiver-document", {
    body: { waiver_id: waiver.id },
  });
  if (error?.context?.status === TOO_LONG_STATUS) return TOO_LONG_TOAST;
  if (error) throw error;
  if (!(data instanceof Blob)) return PREPARING_TOAST;
  saveFile(data, `${waiver.template_name} - ${waiver.signer_name}.pdf`);
  return { title: "PDF Downloaded", description: "The sealed document is in your downloads." };
}
