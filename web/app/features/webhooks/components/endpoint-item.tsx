import { Check, CircleAlert, Pause, Send } from "lucide-react";
import { exactTime } from "~/lib/dates";
import { Badge } from "~/ui/badge";
import { Button } from "~/ui/button";
import { useSendTestEvent } from "../api/deliveries";
import type { Endpoint } from "../model";
import { EndpointMenu } from "./endpoint-menu";
import type { Task } from "./endpoint-dialogs";

type Props = { endpoint: Endpoint; onTask: (task: Task) => void };

export function EndpointItem({ endpoint, onTask }: Props) {
  const test = useSendTestEvent(endpoint.id);
  return (
    <li className="flex flex-col gap-3 px-5 py-4 sm:flex-row sm:items-start sm:justify-between sm:px-6">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <span dir="auto" className="font-medium wrap-anywhere">
            {endpoint.name}
          </span>
          <State endpoint={endpoint} />
        </p>
        <p className="mt-0.5 text-sm wrap-anywhere text-muted">{endpoint.url}</p>
        <Note endpoint={endpoint} />
      </div>
      <div className="flex shrink-0 items-center gap-1.5">
        <Button
          variant="secondary"
          size="sm"
          className="max-sm:grow"
          disabled={endpoint.paused}
          busy={test.isPending}
          aria-label={`Send a test to ${endpoint.name}`}
          onClick={() => test.mutate()}
        >
          {!test.isPending && <Send aria-hidden />} Send a test
        </Button>
        <EndpointMenu endpoint={endpoint} onTask={onTask} />
      </div>
    </li>
  );
}

function State({ endpoint: { paused, failing_since } }: { endpoint: Endpoint }) {
  if (paused)
    return (
      <Badge>
        <Pause aria-hidden /> Paused
      </Badge>
    );
  if (failing_since)
    return (
      <Badge tone="red">
        <CircleAlert aria-hidden /> Failing
      </Badge>
    );
  return (
    <Badge tone="forest">
      <Check aria-hidden /> Active
    </Badge>
  );
}

function Note({ endpoint }: { endpoint: Endpoint }) {
  const text = noteOf(endpoint);
  return text && <p className="mt-1.5 max-w-prose text-sm text-pretty">{text}</p>;
}

function noteOf({
  paused,
  paused_because,
  failing_since,
  last_error,
  previous_until: oldSecretExpiresAt,
}: Endpoint): string | null {
  if (paused_because === "gone") return "This endpoint returned 410 Gone, so we paused it.";
  if (paused_because === "failing") return `Nothing arrived for days, so we paused it. ${last_error ?? ""}`;
  if (paused) return "Waivers signed while it is paused are not sent later.";
  if (failing_since)
    return `Nothing has arrived since ${exactTime(new Date(failing_since))}. ${last_error ?? ""}`;
  if (oldSecretExpiresAt && new Date(oldSecretExpiresAt) > new Date())
    return `The old secret is valid until ${exactTime(new Date(oldSecretExpiresAt))}.`;
  return null;
}
