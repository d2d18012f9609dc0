/**
 * The routes of `/admin/apps` over HTTP (app-builder.md §3). Every failure is an `ApiError`.
 *
 * Knows paths, keys of requests and frames; knows no page. What makes something is sent with a key, so that a request
 * whose answer was lost can be sent again and is done once.
 */

import type { UploadedBlob } from "../generated/UploadedBlob.ts";
import { type Asked, type Bearer, createHttp } from "../http.ts";
import { type Framed, framed } from "./frames.ts";
import type {
  Accept,
  App,
  AppChange,
  AppCheckpoint,
  AppHealth,
  ApplyBody,
  AppProposal,
  AppPublication,
  AppTemplate,
  AppTurn,
  AppVersion,
  BuilderState,
  BuildState,
  ChatBody,
  ComparedVersions,
  ExportFormat,
  KeptWork,
  Listed,
  PreviewAddress,
  RevertedFile,
  SaveBody,
  SavedVersion,
  Scaffold,
  SteppedVersion,
} from "./wire.ts";

const ROOT = "/admin/apps";
/** Entries of a list that are read at once. */
const PAGE = 100;

export type AppsApi = ReturnType<typeof createAppsApi>;

/** The apps of this origin, with the token of the moment. */
export function createAppsApi(asker: Bearer, ask?: typeof fetch) {
  const http = createHttp(asker, ask);
  const segment = encodeURIComponent;
  const one = (app: string, below = ""): string => `${ROOT}/${segment(app)}${below}`;
  const builder = (app: string, below: string): string => one(app, `/builder${below}`);
  const proposal = (app: string, id: string, below = ""): string =>
    builder(app, `/proposals/${segment(id)}${below}`);
  const version = (app: string, id: string, below = ""): string =>
    builder(app, `/revisions/${segment(id)}${below}`);
  const get = <T>(path: string): Promise<T> => http.send<T>("GET", path);
  const post = <T>(path: string, body: unknown = {}): Promise<T> =>
    http.send<T>("POST", path, { body });
  /** A POST that makes something. */
  const make = <T>(path: string, body: unknown, key: string = crypto.randomUUID()): Promise<T> =>
    http.send<T>("POST", path, { body, headers: { "idempotency-key": key } });
  const at = (cursor?: string | null): string =>
    `?limit=${PAGE}${cursor ? `&cursor=${segment(cursor)}` : ""}`;
  const stream = async function* (
    method: string,
    path: string,
    asked: Asked & { after?: string | null },
  ): AsyncGenerator<Framed> {
    const { after = null, ...rest } = asked;
    const headers = {
      accept: "text/event-stream",
      ...rest.headers,
      ...(after === null ? {} : { "last-event-id": after }),
    };
    for await (const event of await http.stream(method, path, { ...rest, headers })) {
      const frame = framed(event);
      if (frame) yield frame;
    }
  };
  return {
    apps: (cursor?: string | null) => get<Listed<App>>(ROOT + at(cursor)),
    async templates(): Promise<AppTemplate[]> {
      const answer = await get<AppTemplate[] | Listed<AppTemplate>>(`${ROOT}/templates`);
      return Array.isArray(answer) ? answer : answer.items;
    },
    create: (body: { name: string; slug?: string; template_key: string }, key: string) =>
      make<App>(ROOT, body, key),
    change: (app: string, body: AppChange) => http.send<App>("PATCH", one(app), { body }),
    remove: (app: string) => http.send<unknown>("DELETE", one(app)),

    state: (app: string) => get<BuilderState>(builder(app, "/state")),
    versions: (app: string, cursor?: string | null) =>
      get<Listed<AppVersion>>(builder(app, `/revisions${at(cursor)}`)),
    /** A version with its files. */
    version: (app: string, id: string) => get<AppVersion>(`${version(app, id)}?include=files`),
    save: (app: string, body: SaveBody, key: string) =>
      make<SavedVersion>(builder(app, "/revisions"), body, key),
    build: (app: string, id: string) => get<BuildState>(version(app, id, "/build")),
    retry: (app: string, id: string, force = false) =>
      post<BuildState>(version(app, id, "/build/retry"), { force }),
    preview: (app: string, id: string) => post<PreviewAddress>(version(app, id, "/preview-token")),
    sourceMap: (app: string, of: string, asset: string) =>
      get<unknown>(builder(app, `/builds/map?of=${segment(of)}&asset=${segment(asset)}`)),
    upload(app: string, file: File): Promise<UploadedBlob> {
      const body = new FormData();
      body.set("file", file, file.name);
      return http.send<UploadedBlob>("POST", builder(app, "/blobs"), { body });
    },
    keptWork: (app: string) => get<KeptWork | null>(builder(app, "/working-copy")),
    keepWork: (app: string, body: Pick<KeptWork, "base_revision_id" | "files">) =>
      http.send<KeptWork>("PUT", builder(app, "/working-copy"), { body }),
    step: (app: string, step: "undo" | "redo", base: string) =>
      make<SteppedVersion>(builder(app, `/${step}`), { base_revision_id: base }),
    restore: (app: string, id: string, base: string) =>
      make<SteppedVersion>(builder(app, "/restore"), { revision_id: id, base_revision_id: base }),
    revertFile: (app: string, path: string, from: string, base: string) =>
      post<RevertedFile>(builder(app, "/revert-file"), {
        path,
        from_revision_id: from,
        base_revision_id: base,
      }),
    checkpoints: (app: string) => get<Listed<AppCheckpoint>>(builder(app, `/checkpoints${at()}`)),
    keep: (app: string, label: string) =>
      post<AppCheckpoint>(builder(app, "/checkpoints"), { label }),
    diff: (app: string, from: string, to: string) =>
      get<ComparedVersions>(builder(app, `/diff?from=${segment(from)}&to=${segment(to)}`)),

    turns: (app: string, cursor?: string | null) =>
      get<Listed<AppTurn>>(builder(app, `/conversations${at(cursor)}`)),
    chat: (app: string, body: ChatBody, key: string, signal: AbortSignal) =>
      stream("POST", builder(app, "/chat/stream"), {
        body,
        signal,
        headers: { "idempotency-key": key },
      }),
    /** What came after a frame of a run, or all of it. */
    run: (app: string, request: string, after: string | null, signal: AbortSignal) =>
      stream("GET", builder(app, `/chat/${segment(request)}/events`), { after, signal }),
    cancel: (app: string, request: string) =>
      post<unknown>(builder(app, `/chat/${segment(request)}/cancel`)),
    /** Builds, revisions and publications, from the present state of the draft's build. */
    events: (app: string, after: string | null, signal: AbortSignal) =>
      stream("GET", builder(app, "/events"), { after, signal }),

    proposal: (app: string, id: string) => get<AppProposal>(proposal(app, id)),
    previewProposal: (app: string, id: string, accept?: Accept) =>
      post<AppProposal>(proposal(app, id, "/preview"), accept ? { accept } : {}),
    apply: (app: string, id: string, body: ApplyBody, key: string) =>
      make<AppVersion>(proposal(app, id, "/apply"), body, key),
    discard: (app: string, id: string) => post<unknown>(proposal(app, id, "/discard")),

    services: (app: string) => get<Scaffold[]>(builder(app, "/scaffolds")),
    /** Proposes the files of a service, on the draft that was seen. */
    setUp: (app: string, key: string, base: string, values: Record<string, string>) =>
      make<AppProposal>(builder(app, `/scaffolds/${segment(key)}`), {
        base_revision_id: base,
        values,
      }),
    /** What makes one version, or nothing, into another. */
    exported: (app: string, format: ExportFormat, to: string, from: string | null) =>
      http.file(
        "GET",
        builder(
          app,
          `/export?format=${format}&to=${segment(to)}${from ? `&from=${segment(from)}` : ""}`,
        ),
      ),

    health: (app: string, id: string) =>
      get<AppHealth>(builder(app, `/health?revision_id=${segment(id)}`)),
    publish: (app: string, id: string, key: string) =>
      make<App>(one(app, "/publish"), { revision_id: id }, key),
    unpublish: (app: string) => post<App>(one(app, "/unpublish")),
    rollback: (app: string, id: string) =>
      post<App>(one(app, "/publish/rollback"), { revision_id: id }),
    publications: (app: string) => get<Listed<AppPublication>>(one(app, `/publish/history${at()}`)),
  };
}
