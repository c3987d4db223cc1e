import { UserX } from "lucide-react";
import { longDate } from "~/lib/dates";
import { Notice, NoticeButton } from "~/ui/notice";
import { useKeepAccount } from "../api/deletion";

/** Shown on every page of a guest whose account will be deleted. */
export default function DeletionBanner({ deleteAt }: { deleteAt: string }) {
  const keep = useKeepAccount();
  return (
    <Notice
      tone="red"
      icon={UserX}
      title={`Your account will be deleted on ${longDate(new Date(deleteAt))}.`}
      action={
        <NoticeButton busy={keep.isPending} onClick={() => keep.mutate()}>
          Keep my account
        </NoticeButton>
      }
    >
      You asked us to delete it. Until then you can change your mind.
    </Notice>
  );
}
