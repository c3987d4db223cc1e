/** Downloads a file that was made in the browser. */
export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // Some browsers read the file only after this task, so the address must stay valid for a while.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
