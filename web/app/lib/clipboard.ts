/**
 * Copies the text and returns whether that worked. Pages without https, for example on a local network, cannot copy.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
