import { Link } from "react-router";
import { Coming } from "~/features/help/components/coming";
import { paths } from "~/paths";

export const meta = () => [{ title: "HTML Embedding · Cairn" }];

export default function HtmlEmbed() {
  return (
    <Coming
      title="HTML Embedding"
      coming="For each template you will copy a piece of HTML from here that shows its signing page inside your own website."
      meanwhile={
        <p>
          Send waivers from <Link to={paths.templates}>Add/Edit Waivers</Link>: each guest gets a link of
          their own. A browser does not show a signing page inside another website yet, so a frame you build
          yourself stays empty.
        </p>
      }
    />
  );
}
