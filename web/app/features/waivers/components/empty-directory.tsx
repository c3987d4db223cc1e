import { Link } from "react-router";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { EmptyState } from "~/ui/empty-state";

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
    <EmptyState
      title="No waivers found."
      action={
        <Button asChild variant="secondary">
          <Link to={paths.templates}>Send the first one</Link>
        </Button>
      }
    >
      A waiver is listed here from the moment it is sent.
    </EmptyState>
  );
}
