import { Button } from "~/ui/button";
import { EmptyState } from "~/ui/empty-state";
import { NoWaivers } from "./no-waivers";

type Props = { isFiltered: boolean; onReset: () => void };

/** An empty directory and a search without results need different next steps. */
export function EmptyDirectory({ isFiltered, onReset }: Props) {
  if (isFiltered) {
    return (
      <EmptyState
        title="No waivers match your search criteria."
        action={
          <Button variant="secondary" onClick={onReset}>
            Show all waivers
          </Button>
        }
      />
    );
  }
  return (
    <NoWaivers title="No waivers found." linkLabel="Send the first one">
      A waiver is listed here from the moment it is sent.
    </NoWaivers>
  );
}
