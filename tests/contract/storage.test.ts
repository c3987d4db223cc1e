/* oxlint-disable max-lines -- one test for each kind of request, and there are many kinds */
import type { SupabaseClient } from "@supabase/supabase-js";
import { describe, expect, inject, test } from "vitest";

import { CLIENTS, type Person, serviceClient, signUp, anonymousClient } from "./people";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const textFile = (content: string) => new Blob([content], { type: "text/plain" });

let bucketCount = 0;

function uniqueBucketName(): string {
  bucketCount += 1;
  return `trips-${process.pid}-${Date.now()}-${bucketCount}`;
}

async function createBucket(admin: SupabaseClient, options = { public: false }): Promise<string> {
  const name = uniqueBucketName();
  const { error } = await admin.storage.createBucket(name, options);
  if (error) throw error;
  return name;
}

function formWithFile(content: string): FormData {
  const formData = new FormData();
  formData.append("file", textFile(content));
  return formData;
}

async function fetchCompanyId(person: Person): Promise<string> {
  const { data } = await person.client.from("companies").select("id").single();
  return data?.id;
}

async function readText(blob: Blob | null): Promise<string | undefined> {
  return blob?.text();
}

function statusCode(error: unknown): string | undefined {
  return error instanceof Object && "statusCode" in error ? String(error.statusCode) : undefined;
}

describe.each(CLIENTS)("files, through the client %s", (_version, connect) => {
  const admin = serviceClient(connect);

  test("STORE-01 STORE-09 an upload returns path, id and fullPath, and the file is cached for an hour by default", async () => {
    const bucket = await createBucket(admin);

    const { data, error } = await admin.storage.from(bucket).upload("river/raft.txt", textFile("a raft"));

    expect(error).toBeNull();
    expect(data).toEqual({
      path: "river/raft.txt",
      id: expect.any(String),
      fullPath: `${bucket}/river/raft.txt`,
    });
    const { data: info } = await admin.storage.from(bucket).info("river/raft.txt");
    expect(info).toMatchObject({ cacheControl: "max-age=3600", contentType: "text/plain", size: 6 });
  });

  test.each([
    ["a blob", () => textFile("content")],
    ["a buffer", () => Buffer.from("content")],
    ["an array buffer", () => new TextEncoder().encode("content").buffer],
    ["a string", () => "content"],
    ["a form", () => formWithFile("content")],
  ])("STORE-01 %s is stored unchanged", async (_kind, body) => {
    const bucket = await createBucket(admin);
    const options = { contentType: "text/plain", cacheControl: "60", metadata: { trip: "river" } };

    const { error } = await admin.storage.from(bucket).upload("a.txt", body(), options);

    expect(error).toBeNull();
    const { data } = await admin.storage.from(bucket).download("a.txt");
    expect(await readText(data)).toBe("content");
    const { data: info } = await admin.storage.from(bucket).info("a.txt");
    expect(info).toMatchObject({ cacheControl: "max-age=60", metadata: { trip: "river" } });
  });

  test("STORE-02 an update replaces the file, and exists reports whether there is one", async () => {
    const files = admin.storage.from(await createBucket(admin));
    await files.upload("a.txt", textFile("old"));

    const { data, error } = await files.update("a.txt", textFile("new"));

    expect(error).toBeNull();
    expect(data?.path).toBe("a.txt");
    expect(await readText((await files.download("a.txt")).data)).toBe("new");
    expect((await files.exists("a.txt")).data).toBe(true);
    expect((await files.exists("b.txt")).data).toBe(false);
  });

  test("STORE-10 a second upload to the same path fails and keeps the first file, except with upsert", async () => {
    const files = admin.storage.from(await createBucket(admin));
    await files.upload("a.txt", textFile("first"));

    const second = await files.upload("a.txt", textFile("second"));

    expect(second.error?.message).toBe("The resource already exists");
    expect(statusCode(second.error)).toBe("409");
    expect(await readText((await files.download("a.txt")).data)).toBe("first");
    await files.upload("a.txt", textFile("third"), { upsert: true });
    expect(await readText((await files.download("a.txt")).data)).toBe("third");
  });

  test("STORE-03 a public file is downloaded by its URL, and can be deleted", async () => {
    const bucket = await createBucket(admin, { public: true });
    const files = admin.storage.from(bucket);
    await files.upload("a b/ü.txt", textFile("for all"));

    const { data } = files.getPublicUrl("a b/ü.txt", { download: "other.txt" });
    const response = await fetch(data.publicUrl);
    const removal = await files.remove(["a b/ü.txt", "missing"]);

    expect(await response.text()).toBe("for all");
    expect(response.headers.get("content-disposition")).toContain("filename=other.txt");
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(removal.data).toMatchObject([{ name: "a b/ü.txt", bucket_id: bucket }]);
    expect((await files.download("a b/ü.txt")).error).not.toBeNull();
  });

  test("STORE-04 a signed upload URL is created and works once", async () => {
    const files = admin.storage.from(await createBucket(admin));
    const anonymousStorage = anonymousClient(connect).storage;
    const { data: upload } = await files.createSignedUploadUrl("late.txt");
    const bucket = upload?.signedUrl.split("/upload/sign/")[1]?.split("/")[0] ?? "";

    const first = await anonymousStorage
      .from(bucket)
      .uploadToSignedUrl("late.txt", upload?.token ?? "", textFile("late"));
    const second = await anonymousStorage
      .from(bucket)
      .uploadToSignedUrl("late.txt", upload?.token ?? "", textFile("again"));
    const otherPath = await anonymousStorage
      .from(bucket)
      .uploadToSignedUrl("other.txt", upload?.token ?? "", textFile("x"));

    expect(first.error).toBeNull();
    expect(first.data).toMatchObject({ path: "late.txt", fullPath: `${bucket}/late.txt` });
    expect(statusCode(second.error)).toBe("409");
    expect(otherPath.error?.message).toBe("Invalid signature");
    expect(await readText((await files.download("late.txt")).data)).toBe("late");
  });

  test("STORE-05 files are moved and copied, also to another bucket", async () => {
    const [source, destination] = [await createBucket(admin), await createBucket(admin)];
    const files = admin.storage.from(source);
    await files.upload("a.txt", textFile("river"));

    const copied = await files.copy("a.txt", "b.txt");
    const moved = await files.move("a.txt", "c.txt", { destinationBucket: destination });

    expect(copied.data?.path).toBe(`${source}/b.txt`);
    expect(moved.data).toEqual({ message: "Successfully moved" });
    expect((await files.exists("a.txt")).data).toBe(false);
    expect(await readText((await files.download("b.txt")).data)).toBe("river");
    expect(await readText((await admin.storage.from(destination).download("c.txt")).data)).toBe("river");
  });

  test("STORE-06 a signed URL works until it expires", async () => {
    const files = admin.storage.from(await createBucket(admin));
    await files.upload("a.txt", textFile("secret"));

    const { data: shortLived } = await files.createSignedUrl("a.txt", 4);
    expect(await (await fetch(shortLived?.signedUrl ?? "")).text()).toBe("secret");
    const { data: urls } = await files.createSignedUrls(["a.txt", "b.txt"], 60, { download: true });

    expect(await (await fetch(urls?.[0]?.signedUrl ?? "")).text()).toBe("secret");
    expect(urls?.[1]).toMatchObject({ path: "b.txt", error: expect.any(String) });
    await new Promise((resolve) => setTimeout(resolve, 4500));
    const expired = await fetch(shortLived?.signedUrl ?? "");
    expect([expired.status, (await expired.json()).code]).toEqual([400, "InvalidJWT"]);
  });

  test("STORE-07 info returns the details of an object", async () => {
    const bucket = await createBucket(admin);
    await admin.storage.from(bucket).upload("a.txt", textFile("plain"), { metadata: { trip: "lake" } });

    const { data } = await admin.storage.from(bucket).info("a.txt");
    const missingObject = await admin.storage.from(bucket).info("b.txt");
    await admin.storage.from(bucket).upload("c.txt", textFile("plain"));
    const noMetadata = await admin.storage.from(bucket).info("c.txt");

    expect(noMetadata.data?.metadata).toEqual({});
    expect(data).toMatchObject({ name: "a.txt", bucketId: bucket, size: 5, metadata: { trip: "lake" } });
    expect(data?.etag).toMatch(/^"[0-9a-f]{32}"$/);
    expect(missingObject.error?.message).toBe("Object not found");
  });

  test("the ETag of an object is in the headers of its info", async () => {
    const bucket = await createBucket(admin);
    await admin.storage.from(bucket).upload("a.txt", textFile("plain"));

    const { url, service_key: key } = inject("keys");
    const response = await fetch(`${url}/storage/v1/object/info/${bucket}/a.txt`, {
      method: "HEAD",
      headers: { apikey: key, Authorization: `Bearer ${key}` },
    });
    const { data } = await admin.storage.from(bucket).info("a.txt");

    expect([response.status, response.headers.get("etag")]).toEqual([200, data?.etag]);
  });

  test("an image is rendered as WebP and around a focal point", async () => {
    const files = admin.storage.from(await createBucket(admin, { public: true }));
    await files.upload("a.png", PNG, { contentType: "image/png" });
    const size = { width: 1, height: 1 };
    // The types of the libraries do not list what current servers support.
    const focalPoint: object = { ...size, gravity: "fp", x_offset: 0, y_offset: 1 };

    const { data: plain } = files.getPublicUrl("a.png", { transform: size });
    const webp = await fetch(`${plain.publicUrl}&format=webp`);
    const { data: signed } = await files.createSignedUrl("a.png", 60, { transform: focalPoint });
    const focused = await fetch(signed?.signedUrl ?? "");

    expect([webp.status, webp.headers.get("content-type")]).toEqual([200, "image/webp"]);
    expect(focused.status).toBe(200);
    expect(focused.headers.get("x-transformations")).toContain("gravity:fp:0:1");
  });

  test("a file that is not an image is not rendered", async () => {
    const files = admin.storage.from(await createBucket(admin, { public: true }));
    await files.upload("a.heic", Buffer.from("00000010667479706d69663100000000", "hex"), {
      contentType: "image/heic",
    });

    const { data } = files.getPublicUrl("a.heic", { transform: { width: 1 } });
    const response = await fetch(data.publicUrl);

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      statusCode: "400",
      error: "InvalidRequest",
      message: "The source image is invalid or unsupported for rendering",
    });
  });

  test("STORE-08 a listing contains the first hundred objects by name", async () => {
    const files = admin.storage.from(await createBucket(admin));
    await Promise.all(["b.txt", "a.txt", "deep/c.txt"].map((name) => files.upload(name, textFile(name))));

    const { data } = await files.list();
    const deep = await files.list("deep", { limit: 1, offset: 0, sortBy: { column: "name", order: "desc" } });

    expect(data?.map(({ name, id }) => [name, id === null])).toEqual([
      ["deep", true],
      ["a.txt", false],
      ["b.txt", false],
    ]);
    expect(deep.data?.map(({ name }) => name)).toEqual(["c.txt"]);
    expect(deep.data?.[0]?.metadata).toMatchObject({ mimetype: "text/plain", size: 10 });
  });

  test("STORE-11 buckets are listed, created, read, updated, emptied and deleted", async () => {
    const name = uniqueBucketName();
    expect((await admin.storage.createBucket(name, { public: false })).data).toEqual({ name });
    const secondCreation = await admin.storage.createBucket(name, { public: false });
    expect(secondCreation.error?.message).toBe("The resource already exists");
    expect((await admin.storage.listBuckets()).data?.map(({ id }) => id)).toContain(name);

    await admin.storage.updateBucket(name, {
      public: true,
      fileSizeLimit: "20mb",
      allowedMimeTypes: ["image/*"],
    });
    const { data } = await admin.storage.getBucket(name);
    expect(data).toMatchObject({
      id: name,
      name,
      public: true,
      file_size_limit: 20_000_000,
      allowed_mime_types: ["image/*"],
    });

    await admin.storage.from(name).upload("a.png", PNG, { contentType: "image/png" });
    expect((await admin.storage.deleteBucket(name)).error?.message).toBe(
      "The bucket you tried to delete is not empty",
    );
    expect((await admin.storage.emptyBucket(name)).data).toEqual({
      message: "Empty bucket has been queued. Completion may take up to an hour.",
    });
    expect((await admin.storage.deleteBucket(name)).data).toEqual({ message: "Successfully deleted" });
    expect((await admin.storage.getBucket(name)).error?.message).toBe("Bucket not found");
  });

  test("STORE-12 the size limit and the types of a bucket are enforced", async () => {
    const name = uniqueBucketName();
    await admin.storage.createBucket(name, {
      public: false,
      fileSizeLimit: 100,
      allowedMimeTypes: ["image/*"],
    });
    const files = admin.storage.from(name);

    const wrongType = await files.upload("a.txt", textFile("plain"));
    const tooLarge = await files.upload("b.png", Buffer.alloc(101), { contentType: "image/png" });
    const accepted = await files.upload("c.png", PNG, { contentType: "image/png" });

    expect(wrongType.error?.message).toBe("mime type text/plain is not supported");
    expect([statusCode(wrongType.error), statusCode(tooLarge.error)]).toEqual(["415", "413"]);
    expect(tooLarge.error?.message).toBe("The object exceeded the maximum allowed size");
    expect(accepted.error).toBeNull();
  });

  test("STORE-13 only its company can read a sealed PDF, and no one can replace or delete it", async () => {
    const [rosa, mallory] = [await signUp(connect, "Rosa"), await signUp(connect, "Mallory")];
    const path = `${await fetchCompanyId(rosa)}/waiver.pdf`;
    const pdf = { contentType: "application/pdf" };
    await admin.storage.from("signed-waivers").upload(path, Buffer.from("%PDF sealed"), pdf);

    for (const client of [mallory.client, anonymousClient(connect)]) {
      const files = client.storage.from("signed-waivers");
      expect((await files.download(path)).data).toBeNull();
      expect((await files.createSignedUrl(path, 60)).error?.message).toBe("Object not found");
      expect((await files.list(path.split("/")[0])).data).toEqual([]);
      expect((await files.copy(path, "stolen.pdf")).error).not.toBeNull();
    }
    for (const client of [rosa.client, mallory.client, anonymousClient(connect), admin]) {
      const files = client.storage.from("signed-waivers");
      expect((await files.update(path, Buffer.from("%PDF forged"), pdf)).error).not.toBeNull();
      await files.remove([path]);
      expect((await files.move(path, "elsewhere.pdf")).error).not.toBeNull();
    }
    expect(await readText((await rosa.client.storage.from("signed-waivers").download(path)).data)).toBe(
      "%PDF sealed",
    );
  });

  test("STORE-14 a path cannot escape its bucket", async () => {
    const { url, service_key } = inject("keys");
    const bucket = await createBucket(admin);
    const headers = { apikey: service_key, Authorization: `Bearer ${service_key}` };
    for (const path of ["%2e%2e%2fsecrets.json", "a%2f%2e%2e%2f%2e%2e%2fb", "%2fetc%2fpasswd", "a%00"]) {
      const response = await fetch(`${url}/storage/v1/object/${bucket}/${path}`, {
        method: "POST",
        body: "x",
        headers,
      });
      expect([response.status, (await response.json()).code], path).toEqual([400, "InvalidKey"]);
    }
    expect((await admin.storage.from(bucket).move("a", "../b")).error?.message).toBe("Invalid key: ../b");
  });

  test("users have a profile picture, which a page can request in any size", async () => {
    const rosa = await signUp(connect, "Rosa");
    const files = rosa.client.storage.from("profile-pictures");
    const options = { contentType: "image/png", upsert: true };

    expect((await files.upload(`${rosa.id}/me.png`, PNG, options)).error).toBeNull();
    const { data } = files.getPublicUrl(`${rosa.id}/me.png`, {
      transform: { width: 20, height: 20, quality: 60 },
    });
    const picture = await fetch(data.publicUrl);

    expect(picture.headers.get("x-transformations")).toBe("height:20,width:20,resizing_type:fill,quality:60");
    expect(picture.headers.get("content-type")).toBe("image/png");
    const mallory = await signUp(connect, "Mallory");
    const foreignUpload = await mallory.client.storage
      .from("profile-pictures")
      .upload(`${rosa.id}/me.png`, PNG, options);
    expect(foreignUpload.error?.message).toContain("new row violates row-level security policy");
  });
});
