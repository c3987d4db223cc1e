import { Link } from "react-router";
import { Coming } from "~/features/help/components/coming";
import { paths } from "~/paths";

export const meta = () => [{ title: "Zapier · Cairn" }];

export default function Zapier() {
  return (
    <Coming
      title="Zapier"
      coming="You will paste the address of a Zapier hook here, and each newly signed waiver will start your Zap."
      meanwhile={
        <p>
          Take what you need as a file: <Link to={paths.directory}>Waiver Management</Link> exports any list
          as CSV. A program of yours can read the same through{" "}
          <Link to={paths.apiConnections}>API Connections</Link>.
        </p>
      }
    />
  );
}
