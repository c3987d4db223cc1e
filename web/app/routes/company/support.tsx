import { Link } from "react-router";
import { Coming } from "~/features/help/components/coming";
import { paths } from "~/paths";

export const meta = () => [{ title: "Contact Support · Cairn" }];

export default function Support() {
  return (
    <Coming
      title="Contact Support"
      coming="A message written here will go to the people who run this service."
      meanwhile={
        <p>
          Most questions are answered in the <Link to={paths.documentation}>documentation</Link>. For anything
          else, answer the mail with which you were invited or confirmed: it comes from the people who run
          this service.
        </p>
      }
    />
  );
}
