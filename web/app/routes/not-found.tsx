import { NotFoundPage } from "~/features/not-found/not-found-page";

export const meta = () => [{ title: "Page not found · Cairn" }];

export default function NotFound() {
  return <NotFoundPage />;
}
