const FILES = import.meta.glob<string>("../../../videos/*", {
  eager: true,
  query: "?url",
  import: "default",
});

export type VideoName = "first" | "send" | "in-person" | "morning" | "proof";

/** Plays a recording of the product. `make videos` makes the files. Nothing is loaded before someone plays it. */
export function LessonVideo({ name, label }: { name: VideoName; label: string }) {
  return (
    <video
      controls
      playsInline
      preload="none"
      poster={fileOf(name, "avif")}
      width={1024}
      height={640}
      aria-label={`Video: ${label}`}
      className="mt-3 aspect-[8/5] h-auto w-full max-w-3xl rounded-control border border-line bg-sunken"
    >
      <source src={fileOf(name, "webm")} type="video/webm" />
      <track kind="captions" src={fileOf(name, "vtt")} srcLang="en" label="English" default />
      This browser plays no videos. The steps below say the same.
    </video>
  );
}

const fileOf = (name: VideoName, suffix: string) => FILES[`../../../videos/${name}.${suffix}`];
