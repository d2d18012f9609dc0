import { afterEach, expect, test, vi } from 'vitest';
import { ApiError, api, list, number, object, text } from './api';

interface Item {
  id: number;
  name: string;
}

const item = object<Item>((members) => ({ id: number(members.id), name: text(members.name) }));

function answers(status: number, value: unknown) {
  const asked = vi.fn(async (_url: URL, _sent: RequestInit) => new Response(JSON.stringify(value), { status }));
  vi.stubGlobal('fetch', asked);
  return asked;
}

afterEach(() => vi.unstubAllGlobals());

test('a list is asked for with its query, and read', async () => {
  const asked = answers(200, [{ id: 1, name: 'one' }]);
  expect(await api('items', list(item), { query: { page: 2, sort: undefined } })).toEqual([{ id: 1, name: 'one' }]);
  expect(asked.mock.calls[0]?.[0].href).toMatch(/\/items\?page=2$/);
});

test('what is sent is JSON', async () => {
  const asked = answers(200, { id: 2, name: 'two' });
  await api('/items', item, { method: 'POST', body: { name: 'two' } });
  expect(asked.mock.calls[0]?.[1]).toMatchObject({ method: 'POST', body: '{"name":"two"}' });
});

test('a refusal and a strange answer are errors', async () => {
  answers(404, {});
  await expect(api('items/9', item)).rejects.toMatchObject({ name: 'ApiError', status: 404 });
  answers(200, { id: 'nine' });
  await expect(api('items/9', item)).rejects.toBeInstanceOf(ApiError);
});
