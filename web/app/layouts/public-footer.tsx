import { Link } from "react-router";
import { paths } from "~/paths";
import { Logo } from "~/ui/logo";

const COLUMNS = [
  {
    title: "Product",
    links: [
      ["Features", paths.features],
      ["Pricing", paths.pricing],
      ["Customers", paths.customers],
    ],
  },
  {
    title: "Learn",
    links: [
      ["Blog", paths.blog],
      ["Digital waivers guide", paths.article("digital-waivers-guide")],
      ["Best practices", paths.article("best-practices")],
      ["Case studies", paths.article("case-studies")],
    ],
  },
  {
    title: "Company",
    links: [
      ["About", paths.about],
      ["Contact", paths.contact],
    ],
  },
  {
    title: "Legal",
    links: [
      ["Privacy", paths.privacy],
      ["Terms", paths.terms],
      ["Security", paths.security],
    ],
  },
] as const;

export function PublicFooter() {
  return (
    <footer className="border-t border-line bg-sunken/50">
      <div className="mx-auto grid max-w-6xl gap-10 px-4 py-14 sm:px-6 lg:grid-cols-[1.3fr_2fr]">
        <div>
          <Logo />
          <p className="mt-3 max-w-xs text-muted">Simplifying waiver management for businesses.</p>
          <p className="mt-6 text-sm text-muted">
            Holding a signed waiver?{" "}
            <Link
              to={paths.verify}
              className="inline-block rounded py-2 font-medium text-foreground underline underline-offset-4"
            >
              Verify a document
            </Link>
          </p>
        </div>
        <nav aria-label="Footer" className="grid grid-cols-2 gap-x-6 gap-y-9 sm:grid-cols-4">
          {COLUMNS.map(({ title, links }) => (
            <div key={title}>
              <h2 className="text-sm font-semibold">{title}</h2>
              <ul className="mt-2">
                {links.map(([name, path]) => (
                  <li key={path}>
                    <Link
                      to={path}
                      className="inline-block rounded py-2 text-[0.9375rem] text-muted hover:text-foreground hover:underline hover:underline-offset-4"
                    >
                      {name}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
      </div>
    </footer>
  );
}
