import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { apiClient } from "~/lib/api";

/** The very form that would be attached, and an address inside this browser to look at it. */
export function useFormPreview(templateId: string) {
  const { data, isError, refetch } = useQuery({
    queryKey: ["form-preview", templateId],
    queryFn: () => fetchForm(templateId),
    // The template may have been saved since.
    staleTime: 0,
    gcTime: 0,
    retry: 1,
  });
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (!data) return undefined;
    const made = URL.createObjectURL(data);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [data]);
  return { form: data, address, isError, refetch };
}

async function fetchForm(templateId: string): Promise<Blob> {
  const supabase = await apiClient();
  const { data, error } = await supabase.functions.invoke<unknown>("waiver-form", {
    body: { template_id: templateId },
  });
  if (error) throw error;
  if (!(data instanceof Blob)) throw new Error("The server did not answer with a PDF.");
  return data;
}
