import { expect, test } from 'vitest';
import { classify } from '../../src/jsonrpc/message.ts';

const version = '2.0';

test.each([
  [{ jsonrpc: version, id: 1, method: 'a' }, 'request'],
  [{ jsonrpc: version, id: 'x', method: 'a', params: {}, extra: 1 }, 'request'],
  [{ jsonrpc: version, id: 0, method: '' }, 'request'],
  [{ jsonrpc: version, id: '', method: 'a' }, 'request'],
  [{ jsonrpc: version, method: 'a' }, 'notification'],
  [{ jsonrpc: version, id: 1, result: {} }, 'response'],
  [{ jsonrpc: version, id: 1, error: { code: 1, message: '' } }, 'response'],
  [{ jsonrpc: version, error: { code: 1, message: '' } }, 'response'],
  [{ jsonrpc: version, id: null, error: { code: 1, message: '' } }, 'response'],
] as const)('%j is a %s', (value, kind) => {
  expect(classify(value).kind).toBe(kind);
});

test.each([
  [null, undefined],
  [5, undefined],
  ['text', undefined],
  [[], undefined],
  [{}, undefined],
  [{ id: 1, method: 'a' }, 1],
  [{ jsonrpc: '1.0', id: 1, method: 'a' }, 1],
  [{ jsonrpc: 2, id: 'x', method: 'a' }, 'x'],
  [{ jsonrpc: version, id: null, method: 'a' }, undefined],
  [{ jsonrpc: version, id: 1.5, method: 'a' }, undefined],
  [{ jsonrpc: version, id: 2 ** 53, method: 'a' }, undefined],
  [{ jsonrpc: version, id: {}, method: 'a' }, undefined],
  [{ jsonrpc: version, id: true, method: 'a' }, undefined],
  [{ jsonrpc: version, id: 1, method: 5 }, 1],
  [{ jsonrpc: version, id: 1, method: null }, 1],
  [{ jsonrpc: version, id: 1, method: 'a', params: [] }, 1],
  [{ jsonrpc: version, id: 1, method: 'a', params: null }, 1],
  [{ jsonrpc: version, id: 1 }, 1],
  [{ jsonrpc: version, id: 1, result: [] }, 1],
  [{ jsonrpc: version, id: 1, result: null }, 1],
  [{ jsonrpc: version, result: {} }, undefined],
  [{ jsonrpc: version, id: 1, result: {}, error: { code: 1, message: '' } }, 1],
  [{ jsonrpc: version, id: 1, error: { code: 'x', message: '' } }, 1],
  [{ jsonrpc: version, id: 1, error: { code: 1.5, message: '' } }, 1],
  [{ jsonrpc: version, id: 1, error: { code: 1 } }, 1],
  [{ jsonrpc: version, id: 1, error: 'x' }, 1],
])('%j is malformed and its id is %j', (value, id) => {
  expect(classify(value)).toEqual({ kind: 'malformed', id, reason: expect.stringMatching(/^[a-z]/) });
});
