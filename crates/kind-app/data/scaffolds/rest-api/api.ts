/** Where the service is: the settings of the app go before what stands here. */
const BASE_URL: string = import.meta.env.VITE_API_URL ?? __base_url__;

/** Why a request has no answer: the service refused it, or gave something else than was expected. */
export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
  }
}

/** Makes what came into what is expected, and throws where it is something else. */
export type Reader<T> = (value: unknown) => T;

export interface ApiRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Members of the query; what is undefined is left out. */
  query?: Record<string, string | number | boolean | undefined>;
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** Asks the service and reads its answer. */
export async function api<T>(path: string, read: Reader<T>, request: ApiRequest = {}): Promise<T> {
  const { method = 'GET', query = {}, body, headers = {}, signal } = request;
  const url = new URL(`${BASE_URL.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  const sent: RequestInit = { method, headers: { accept: 'application/json', ...headers } };
  if (signal) sent.signal = signal;
  if (body !== undefined) {
    sent.body = JSON.stringify(body);
    sent.headers = { 'content-type': 'application/json', ...sent.headers };
  }
  const answer = await fetch(url, sent);
  if (!answer.ok) throw new ApiError(answer.status, `${method} ${url.pathname} answered ${answer.status}.`);
  const value: unknown = answer.status === 204 ? undefined : await answer.json();
  try {
    return read(value);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ApiError(answer.status, `${method} ${url.pathname} answered something else: ${why}`);
  }
}

/** Reads an object and hands its members on. */
export function object<T>(read: (members: Record<string, unknown>) => T): Reader<T> {
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('an object was expected');
    return read(value as Record<string, unknown>);
  };
}

export function list<T>(read: Reader<T>): Reader<T[]> {
  return (value) => {
    if (!Array.isArray(value)) throw new Error('a list was expected');
    return value.map(read);
  };
}

export const text: Reader<string> = (value) => {
  if (typeof value !== 'string') throw new Error('a text was expected');
  return value;
};

export const number: Reader<number> = (value) => {
  if (typeof value !== 'number') throw new Error('a number was expected');
  return value;
};
