import { CircleAlert } from "lucide-react";
import { Notice } from "~/ui/notice";
import { useFramedBy } from "../api/framed-by";

/** Shown beside the snippet, because pasting it would have no effect. */
export function NoWebsitesNotice({ companyId }: { companyId: string }) {
  const { data: websites } = useFramedBy(companyId);
  if (websites?.length !== 0) return null;
  return (
    <Notice tone="amber" icon={CircleAlert} action={<a href="#websites">Name yours</a>}>
      No website may show your signing pages now.
    </Notice>
  );
}
