import { cx } from "class-variance-authority";
import { Clock, Pause, RotateCw } from "lucide-react";
import { Link } from "react-router";
import { Badge } from "~/ui/badge";
import { Button } from "~/ui/button";
import { RelativeTime } from "~/ui/relative-time";
import { Status } from "~/ui/status";
import { useResendDelivery } from "../api/deliveries";
import { EVENT_LABELS, attemptsLabel, nextStep, type Delivery } from "../model";

type Props = { delivery: Delivery; now: Date; waiverPath: (sessionId: string) => string };

export function DeliveryItem({ delivery, now, waiverPath }: Props) {
  const resend = useResendDelivery(delivery.id);
  const { event, session_id, endpoint_name, status, attempts, error, answer: responseStatus } = delivery;
  const details = [attempts > 0 && attemptsLabel(attempts), nextStep(delivery, now)].filter(Boolean);
  return (
    <li className="flex flex-col gap-3 px-5 py-4 sm:flex-row sm:items-center sm:justify-between sm:px-6">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <span className="font-medium">{EVENT_LABELS[event]}</span>
          <State delivery={delivery} />
        </p>
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-sm text-muted">
          <RelativeTime at={delivery.created_at} />
          <span dir="auto" className="wrap-anywhere">
            to {endpoint_name}
          </span>
          {details.map((detail) => (
            <span key={String(detail)}>{detail}</span>
          ))}
          {session_id && (
            <Link
              to={waiverPath(session_id)}
              className="rounded font-medium text-forest-text underline decoration-forest/40 underline-offset-4 hover:decoration-forest"
            >
              See the waiver
            </Link>
          )}
        </p>
        {error && <p className="mt-1 text-sm text-red-text">{error}</p>}
        {!error && status === "delivered" && (
          <p className="mt-1 text-sm text-muted">The response was {responseStatus}.</p>
        )}
      </div>
      <Button
        variant={status === "delivered" ? "ghost" : "secondary"}
        size="sm"
        className={cx("shrink-0 self-start sm:self-auto", status === "delivered" && "max-sm:-ms-3")}
        busy={resend.isPending}
        disabled={status === "waiting" && delivery.next_try_at === null}
        onClick={() => resend.mutate()}
      >
        {!resend.isPending && <RotateCw aria-hidden />} Send again
      </Button>
    </li>
  );
}

function State({ delivery: { status, error, next_try_at } }: { delivery: Delivery }) {
  if (status !== "waiting") return <Status kind={status} />;
  if (next_try_at === null)
    return (
      <Badge>
        <Pause aria-hidden /> Paused
      </Badge>
    );
  if (!error) return <Status kind="sending" />;
  return (
    <Badge tone="amber">
      <Clock aria-hidden /> Will be tried again
    </Badge>
  );
}
