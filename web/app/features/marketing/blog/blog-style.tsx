import style from "./blog.css?inline";

/** React puts it into the head, after the style all public pages share. */
export function BlogStyle() {
  return (
    <style href="blog" precedence="default">
      {style}
    </style>
  );
}
