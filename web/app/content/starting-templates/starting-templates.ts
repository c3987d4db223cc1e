// The texts are read at build time only, so this module is not part of the browser bundle.
const FILES = import.meta.glob<string>("./*.md", { query: "?raw", import: "default", eager: true });

/** A file begins with its fields, one on each line, between two lines of three dashes. The rest is the text. */
const FILE = /^---\n(?<fields>.*?)\n---\n\n(?<content>.*)$/s;

/** Returns the fields and the content of each file. A file without fields yields only an empty content. */
export function readStartingTemplates(): Record<string, string>[] {
  return Object.keys(FILES)
    .toSorted()
    .map((name) => parseFile(FILES[name] ?? ""));
}

function parseFile(file: string): Record<string, string> {
  const { fields = "", content = "" } = FILE.exec(file)?.groups ?? {};
  return { ...Object.fromEntries(fields.split("\n").map(parseField)), content: content.trim() };
}

function parseField(line: string): [string, string] {
  const [name = "", ...value] = line.split(": ");
  return [name, value.join(": ")];
}
