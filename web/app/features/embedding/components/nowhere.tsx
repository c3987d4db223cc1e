import { CircleAlert } from "lucide-react";
import { Notice } from "~/ui/notice";
import { useFramedBy } from "../api/framed-by";

/** Said where the snippet is copied, so that nobody pastes it in vain. */
export function Nowhere({ companyId }: { companyId: string }) {
  const { data: websites } = useFramedBy(companyId);
  if (websites?.length !== 0) return null;
  return (
    <Notice tone="amber" icon={CircleAlert} action={<a href="#websites">Name yours</a>}>
      No website may show your signing pages now.
    </Notice>
  );
}
