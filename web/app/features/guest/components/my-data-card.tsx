import { Card } from "~/ui/card";
import { DownloadButton } from "~/ui/download-button";
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
      <DownloadButton from="export-my-data" fileName="my data.zip">
        Download your data
      </DownloadButton>
      <MyErasures />
    </Card>
  );
}
