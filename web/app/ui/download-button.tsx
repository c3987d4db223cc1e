import { Download } from "lucide-react";
import { useState } from "react";
import { downloadResult } from "~/lib/download-result";
import { Button } from "./button";
import { toast } from "./toast-store";

type Props = { from: string; fileName: string; children: string };

/** Calls the server's function with the name `from` and saves the file that it returns. */
export function DownloadButton({ from, fileName, children }: Props) {
  const [isFetching, setFetching] = useState(false);
  const download = async () => {
    setFetching(true);
    toast(await downloadResult(from, {}, fileName));
    setFetching(false);
  };
  return (
    <Button variant="secondary" busy={isFetching} onClick={() => void download()}>
      {!isFetching && <Download aria-hidden />} {children}
    </Button>
  );
}
