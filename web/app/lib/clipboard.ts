/** Whether it is there. Over plain http, as in the boat house, browsers keep their clipboard to themselves. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
