import { Link } from "react-router";
import { ReadingPage, Section } from "~/features/help/components/page";
import { paths } from "~/paths";
import { Button } from "~/ui/button";

export const meta = () => [{ title: "Contact Support · Cairn" }];

export default function Support() {
  return (
    <ReadingPage title="Contact Support" intro="A person reads what you write, and answers by email.">
      <Section id="write" title="Write to us">
        <p>
          Say what you did, what you expected and what happened instead. If it is about one waiver, add its
          id: it stands in the first column of Recent Waivers and in the address when the waiver is open.
          Never send a password.
        </p>
        {/* A page outside this app, so the browser itself goes there. */}
        <Button asChild className="self-start">
          <a href="/contact" className="text-on-forest! no-underline!">
            Open the contact form
          </a>
        </Button>
      </Section>
      <Section id="look" title="Often quicker">
        <ul>
          <li>
            A guest got no mail: the reason is under Email History in Email Settings, on{" "}
            <Link to={paths.directory}>Waiver Management</Link>.
          </li>
          <li>
            A link no longer works: the waiver has expired. Send it again from{" "}
            <Link to={paths.templates}>Add/Edit Waivers</Link>.
          </li>
          <li>
            Everything else that can be done here is described in the{" "}
            <Link to={paths.documentation}>documentation</Link>.
          </li>
        </ul>
      </Section>
    </ReadingPage>
  );
}
