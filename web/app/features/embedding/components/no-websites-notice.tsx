import { CircleAlert } from "lucide-react";
import { Notice } from "~/ui/notice";
import { useFramedBy } from "../api/framed-by";

/** Warns that the snippet will not work as long as no website may show the page. */
export function NoWebsitesNotice({ companyId }: { companyId: string }) {
  const { data: websites } = useFramedBy(companyId);
  if (websites?.length !== 0) return null;
  return (
    <Notice tone="amber" icon={CircleAlert} action={<a href="#websites">Name yours</a>}>
      No website may show your signing pages now.
    </Notice>
  );
}
