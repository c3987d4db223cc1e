import style from "./blog.css?inline";

/** React moves this element into the head, after the shared style of the public pages. */
export function BlogStyle() {
  return (
    <style href="blog" precedence="default">
      {style}
    </style>
  );
}
