import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { apiClient } from "~/lib/api";

/** Fetches the interactive form that would be attached to the email, and creates a blob URL to show it. */
export function useFormPreview(templateId: string) {
  const { data, isError, refetch } = useQuery({
    queryKey: ["form-preview", templateId],
    queryFn: () => fetchForm(templateId),
    // The template may have changed since the last preview.
    staleTime: 0,
    gcTime: 0,
    retry: 1,
  });
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!data) return undefined;
    const blobUrl = URL.createObjectURL(data);
    setUrl(blobUrl);
    return () => URL.revokeObjectURL(blobUrl);
  }, [data]);
  return { form: data, url, isError, refetch };
}

async function fetchForm(templateId: string): Promise<Blob> {
  const supabase = await apiClient();
  const { data, error } = await supabase.functions.invoke<unknown>("waiver-form", {
    body: { template_id: templateId },
  });
  if (error) throw error;
  if (!(data instanceof Blob)) throw new Error("The server did not return a PDF.");
  return data;
}
