import { Link } from "react-router";
import { Coming } from "~/features/help/components/coming";
import { paths } from "~/paths";

export const meta = () => [{ title: "Webhooks · Cairn" }];

export default function Webhooks() {
  return (
    <Coming
      title="Webhooks"
      coming="You will name an https address here, and each newly signed waiver will be posted to it, signed so that you can tell it is from us."
      meanwhile={
        <p>
          Your own program can ask for new waivers, or listen for them over an open line. Address, key and
          examples are under <Link to={paths.apiConnections}>API Connections</Link>.
        </p>
      }
    />
  );
}
