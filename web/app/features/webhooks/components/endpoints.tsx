import { Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { EmptyState } from "~/ui/empty-state";
import { SkeletonLines } from "~/ui/skeleton";
import { useEndpoints } from "../api/endpoints";
import { TEXTS, type Endpoint, type Kind } from "../model";
import { EndpointItem } from "./endpoint-item";
import { EndpointDialogs, type Task } from "./endpoint-dialogs";
import { NotLoaded } from "./not-loaded";

/** Lists the endpoints of one kind and shows the open dialog. */
export function Endpoints({ kind }: { kind: Kind }) {
  const [task, setTask] = useState<Task | null>(null);
  const query = useEndpoints(kind);
  const endpoints = query.data;
  const texts = TEXTS[kind];
  const addButton = (
    <Button onClick={() => setTask({ action: "add" })}>
      <Plus aria-hidden /> {texts.add}
    </Button>
  );
  return (
    <Card aria-labelledby={`${kind}-endpoints`}>
      <header className="flex flex-wrap items-center justify-between gap-3 border-b border-line px-5 py-4 sm:px-6">
        <h2 id={`${kind}-endpoints`} className="text-lg font-semibold">
          {texts.list}
        </h2>
        {endpoints && endpoints.length > 0 && addButton}
      </header>
      <NotLoaded query={query} title="Your connections could not be loaded">
        <LoadingEndpoints />
      </NotLoaded>
      {endpoints?.length === 0 && (
        <EmptyState title={texts.empty} action={addButton}>
          {texts.emptyText}
        </EmptyState>
      )}
      {endpoints && endpoints.length > 0 && <EndpointList endpoints={endpoints} onTask={setTask} />}
      {task && <EndpointDialogs kind={kind} task={task} onTask={setTask} />}
    </Card>
  );
}

function EndpointList({ endpoints, onTask }: { endpoints: Endpoint[]; onTask: (task: Task) => void }) {
  return (
    <ul className="divide-y divide-line">
      {endpoints.map((endpoint) => (
        <EndpointItem key={endpoint.id} endpoint={endpoint} onTask={onTask} />
      ))}
    </ul>
  );
}

function LoadingEndpoints() {
  return (
    <SkeletonLines
      lines={["h-5 w-44", "h-4 w-3/4", "h-9 w-32"]}
      className="flex flex-col gap-3 px-5 py-5 sm:px-6"
    />
  );
}
