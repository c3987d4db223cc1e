import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { EmptyState } from "~/ui/empty-state";
import { LinkButton } from "~/ui/link-button";

type Props = { isFiltered: boolean; onReset: () => void };

/** A company without waivers and a search without results need different next steps. */
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
        <LinkButton to={paths.templates} variant="secondary">
          Send the first one
        </LinkButton>
      }
    >
      A waiver is listed here from the moment it is sent.
    </EmptyState>
  );
}
