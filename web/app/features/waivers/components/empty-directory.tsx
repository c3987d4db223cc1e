import { Link } from "react-router";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { EmptyState } from "~/ui/empty-state";

type Props = { filtered: boolean; onReset: () => void };

/** "Nothing yet" and "no match" are different news, with different next steps. */
export function EmptyDirectory({ filtered, onReset }: Props) {
  if (filtered) {
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
