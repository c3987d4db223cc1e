import { authorizedFetch } from "./api";
import { saveFile } from "./save-file";

type Outcome = { title: string; description: string; destructive?: boolean };

const FAILED: Outcome = {
  title: "Error",
  description: "The file could not be downloaded. Please try again.",
  destructive: true,
};

/**
 * Calls a function that returns a file, saves the file, and returns what to show. The client library would read a ZIP
 * file as text, so the request is sent without it.
 */
export const downloadResult = (name: string, parameters: object, fileName: string): Promise<Outcome> =>
  download(name, parameters, fileName).catch(() => FAILED);

async function download(name: string, parameters: object, fileName: string): Promise<Outcome> {
  const response = await authorizedFetch(`/functions/v1/${name}`, {
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
