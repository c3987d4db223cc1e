import { vi } from "vitest";

/** Records the names of downloaded files, because jsdom has no downloads. */
export function trackDownloads(): string[] {
  const fileNames: string[] = [];
  Object.assign(URL, { createObjectURL: () => "blob:here", revokeObjectURL: () => {} });
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function click(this: HTMLAnchorElement) {
    fileNames.push(this.download);
  });
  return fileNames;
}

export const PDF_RESPONSE = {
  body: new TextEncoder().encode("%PDF-1.7"),
  headers: { "content-type": "application/pdf" },
};
