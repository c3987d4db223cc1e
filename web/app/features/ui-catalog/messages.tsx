import { Info, Scale, TriangleAlert } from "lucide-react";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { CheckList } from "~/ui/check-list";
import { ContourLines } from "~/ui/contour-lines";
import { EmptyState } from "~/ui/empty-state";
import { Failure } from "~/ui/failure";
import { LoadingScreen } from "~/ui/loading-screen";
import { Notice, NoticeButton } from "~/ui/notice";
import { RelativeTime } from "~/ui/relative-time";
import { Skeleton } from "~/ui/skeleton";
import { Cell, HeadCell, Row, Table } from "~/ui/table";
import { Tabs } from "~/ui/tabs";
import { Example } from "./example";

const PAST_TIME = "2026-01-05T09:30:00Z";

export function Messages() {
  return (
    <>
      <Example name="Notice, NoticeButton">
        <Notice icon={Scale} title="Before you send:">
          have a legal adviser review the final text.
        </Notice>
        <Notice tone="amber" icon={Info} action={<NoticeButton>Do it</NoticeButton>}>
          Something to know soon.
        </Notice>
        <Notice tone="red" icon={TriangleAlert}>
          Something that went wrong.
        </Notice>
      </Example>
      <Example name="Card, EmptyState, Failure">
        <Card className="p-6">A card holds one thing.</Card>
        <EmptyState title="No waiver data available" action={<Button>Create Your First Waiver</Button>}>
          What you send appears here.
        </EmptyState>
        <Failure title="Your templates could not be loaded" onRetry={() => {}}>
          The server did not answer. Nothing was lost.
        </Failure>
      </Example>
      <Example name="CheckList">
        <CheckList
          items={["Unlimited waivers", "Calendar integration"]}
          inPreparation={["Calendar integration"]}
          className="gap-3"
          itemClassName="gap-3"
        />
      </Example>
      <Example name="Skeleton, LoadingScreen">
        <Skeleton className="h-24 w-64 rounded-card" />
        <div className="w-full overflow-hidden rounded-card border border-line [&_*]:min-h-0">
          <LoadingScreen />
        </div>
      </Example>
      <Example name="Table, RelativeTime">
        <Table aria-label="Sample">
          <thead>
            <Row>
              <HeadCell>Recipient</HeadCell>
              <HeadCell>Date</HeadCell>
            </Row>
          </thead>
          <tbody>
            <Row>
              <Cell>Noor Haddad</Cell>
              <Cell>
                <RelativeTime at={PAST_TIME} />
              </Cell>
            </Row>
            <Row>
              <Cell>Tomás Vega</Cell>
              <Cell>
                <RelativeTime at={null} />
              </Cell>
            </Row>
          </tbody>
        </Table>
      </Example>
      <Example name="Tabs">
        <Tabs
          tabs={[
            { name: "Settings", content: <p className="p-4">The first.</p> },
            { name: "Email History", content: <p className="p-4">The second.</p> },
          ]}
        />
      </Example>
      <Example name="ContourLines">
        <ContourLines
          seed="rio"
          className="h-48 w-full rounded-card border border-line text-forest opacity-40"
        />
      </Example>
    </>
  );
}
