import { Download } from "lucide-react";
import { useState } from "react";
import { downloadResult } from "~/lib/download-result";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { toast } from "~/ui/toast-store";
import { MyErasures } from "./my-erasures";

/** A guest downloads what is stored about them, and asks companies to erase it. */
export function MyDataCard() {
  return (
    <Card className="p-5 sm:p-6" aria-labelledby="my-data">
      <h2 id="my-data" className="text-lg font-semibold">
        Your Data
      </h2>
      <p className="mt-1 mb-4 text-muted">
        A ZIP file with everything that is stored about your email address: your account, the waivers you
        signed and what was sent to you.
      </p>
      <DownloadMyData />
      <MyErasures />
    </Card>
  );
}

function DownloadMyData() {
  const [isFetching, setFetching] = useState(false);
  const download = async () => {
    setFetching(true);
    toast(await downloadResult("export-my-data", {}, "my data.zip"));
    setFetching(false);
  };
  return (
    <Button variant="secondary" busy={isFetching} onClick={() => void download()}>
      {!isFetching && <Download aria-hidden />} Download your data
    </Button>
  );
}
