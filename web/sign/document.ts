export type Fetched = { kind: "pdf"; pdf: Blob } | { kind: "preparing" } | { kind: "failed" };

/** Asks once for the sealed document; the service itself waits a few seconds for it. */
export type FetchDocument = (waiverId: string) => Promise<Fetched>;

export function documents(key: string): FetchDocument {
  const headers = { apikey: key, Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  return async (waiverId) => {
    try {
      const body = JSON.stringify({ waiver_id: waiverId });
      const answer = await fetch("/functions/v1/waiver-document", { method: "POST", headers, body });
      if (answer.status === 202) return { kind: "preparing" };
      return answer.ok ? { kind: "pdf", pdf: await answer.blob() } : { kind: "failed" };
    } catch {
      return { kind: "failed" };
    }
  };
}

export function save(pdf: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(pdf);
  link.download = name;
  link.click();
}
