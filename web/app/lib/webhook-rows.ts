/** An address that is told of each signed waiver. Its secret is told once, when it is made. */
export type EndpointRow = {
  id: string;
  kind: "webhook" | "zapier";
  name: string;
  url: string;
  secret_made_at: string;
  previous_until: string | null;
  paused: boolean;
  paused_because: "failing" | "gone" | null;
  failing_since: string | null;
  last_error: string | null;
  created_at: string;
};

export type DeliveryRow = {
  id: string;
  endpoint_id: string;
  kind: EndpointRow["kind"];
  endpoint_name: string;
  event: "waiver.signed" | "webhook.test";
  session_id: string | null;
  status: "waiting" | "delivered" | "failed";
  attempts: number;
  next_try_at: string | null;
  answer: number | null;
  error: string | null;
  created_at: string;
  tried_at: string | null;
};
