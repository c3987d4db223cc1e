import { Button } from "~/ui/button";

export function ViewButton({ guest, onView }: { guest: string; onView: () => void }) {
  return (
    <Button variant="ghost" size="sm" onClick={onView} aria-label={`View waiver of ${guest}`}>
      View
    </Button>
  );
}
