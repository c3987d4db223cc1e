import { UserX } from "lucide-react";
import { longDate } from "~/lib/dates";
import { Button } from "~/ui/button";
import { Notice } from "~/ui/notice";
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
        <Button
          variant="secondary"
          size="sm"
          className="sm:-my-1.5"
          busy={keep.isPending}
          onClick={() => keep.mutate()}
        >
          Keep my account
        </Button>
      }
    >
      You asked us to delete it. Until then you can change your mind.
    </Notice>
  );
}
