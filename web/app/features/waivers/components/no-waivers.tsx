import { paths } from "~/paths";
import { EmptyState } from "~/ui/empty-state";
import { LinkButton } from "~/ui/link-button";

type Props = { title: string; linkLabel: string; children: string };

/** Links to the templates, where a company sends its first waiver. */
export function NoWaivers({ title, linkLabel, children }: Props) {
  const link = (
    <LinkButton to={paths.templates} variant="secondary">
      {linkLabel}
    </LinkButton>
  );
  return (
    <EmptyState title={title} action={link}>
      {children}
    </EmptyState>
  );
}
