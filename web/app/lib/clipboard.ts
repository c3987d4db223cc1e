/** Returns whether the text was copied. Browsers offer no clipboard over plain http, as on a local network. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
