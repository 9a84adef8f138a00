import { expect, test } from 'vitest';
import { type Revision, revisionNames } from './official.ts';
import { type Direction, validateMessage } from './validate.ts';

const envelope = { jsonrpc: '2.0' };
const clientInfo = { name: 'c', version: '1' };
const stateless = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

type Row = [revision: Revision, direction: Direction, message: unknown, method?: string];

const legal: Record<string, Row> = {
  'an initialize request': [
    '2024-11-05',
    'client',
    {
      ...envelope,
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2024-11-05', capabilities: {}, clientInfo },
    },
  ],
  'a batch of 2025-03-26': ['2025-03-26', 'client', [{ ...envelope, id: 'a', method: 'ping' }]],
  'a tool result': ['2025-06-18', 'server', { ...envelope, id: 1, result: { content: [] } }, 'tools/call'],
  'an empty result': ['2025-06-18', 'server', { ...envelope, id: 1, result: {} }, 'logging/setLevel'],
  'a result of nothing in particular': ['2025-06-18', 'server', { ...envelope, id: 1, result: { any: 1 } }],
  'a notification of the server': [
    '2025-11-25',
    'server',
    { ...envelope, method: 'notifications/message', params: { level: 'info', data: null } },
  ],
  'an answer of the client': [
    '2025-11-25',
    'client',
    { ...envelope, id: 1, result: { roots: [] } },
    'roots/list',
  ],
  'a task instead of a tool result': [
    '2025-11-25',
    'server',
    {
      ...envelope,
      id: 1,
      result: { task: { taskId: 't', status: 'working', createdAt: '', lastUpdatedAt: '', ttl: null } },
    },
    'tools/call',
  ],
  'an error of an unreadable request with a null id': [
    '2024-11-05',
    'server',
    { ...envelope, id: null, error: { code: -32700, message: 'parse error' } },
  ],
  'a stateless request': [
    '2026-07-28',
    'client',
    { ...envelope, id: 1, method: 'tools/list', params: { _meta: stateless } },
  ],
  'the only notification of a stateless client': [
    '2026-07-28',
    'client',
    { ...envelope, method: 'notifications/cancelled', params: { requestId: 1 } },
  ],
  'questions instead of a tool result': [
    '2026-07-28',
    'server',
    {
      ...envelope,
      id: 1,
      result: { resultType: 'input_required', inputRequests: { a: { method: 'roots/list' } } },
    },
    'tools/call',
  ],
};

const illegal: Record<string, [...Row, reason: string]> = {
  'a request without its params': [
    '2025-06-18',
    'client',
    { ...envelope, id: 1, method: 'tools/call' },
    undefined,
    "2025-06-18 client: tools/call: it must have required property 'params'",
  ],
  'a member of the wrong type': [
    '2025-06-18',
    'server',
    { ...envelope, id: 1, result: { content: [], isError: 'no' } },
    'tools/call',
    '2025-06-18 server: the result of tools/call: /result/isError must be boolean',
  ],
  'a method that the revision lacks': [
    '2026-07-28',
    'client',
    { ...envelope, id: 1, method: 'ping', params: { _meta: stateless } },
    undefined,
    '2026-07-28 client: ping: no request of a client has this name',
  ],
  'a request of a stateless server': [
    '2026-07-28',
    'server',
    { ...envelope, id: 1, method: 'roots/list' },
    undefined,
    '2026-07-28 server: roots/list: no request of a server has this name',
  ],
  'a batch after 2025-03-26': [
    '2025-06-18',
    'client',
    [{ ...envelope, id: 1, method: 'ping' }],
    undefined,
    '2025-06-18 client: a batch: the revision has none',
  ],
  'a stateless result without resultType': [
    '2026-07-28',
    'server',
    { ...envelope, id: 1, result: { content: [] } },
    'tools/call',
    '2026-07-28 server: the result of tools/call: resultType undefined is not one of its own',
  ],
  'questions where none may be asked': [
    '2026-07-28',
    'server',
    { ...envelope, id: 1, result: { resultType: 'input_required' } },
    'tools/list',
    '2026-07-28 server: the result of tools/list: resultType "input_required" is not one of its own',
  ],
  'an error whose code wants data': [
    '2026-07-28',
    'server',
    { ...envelope, id: 1, error: { code: -32022, message: 'no' } },
    undefined,
    "2026-07-28 server: error -32022: /error must have required property 'data'",
  ],
  'a URI that is none': [
    '2025-06-18',
    'client',
    { ...envelope, id: 1, method: 'resources/read', params: { uri: 'not a uri' } },
    undefined,
    '2025-06-18 client: resources/read: /params/uri must match format "uri"',
  ],
  'no message at all': [
    '2025-06-18',
    'client',
    'ping',
    undefined,
    '2025-06-18 client: a message: it is not an object',
  ],
};

test.each(Object.entries(legal))('%s is legal', (_, [revision, direction, message, method]) => {
  expect(() => validateMessage(revision, direction, message, method)).not.toThrow();
});

test.each(Object.entries(illegal))(
  '%s is refused in one line',
  (_, [revision, direction, message, method, reason]) => {
    expect(() => validateMessage(revision, direction, message, method)).toThrow(new Error(reason));
  },
);

test.each(revisionNames)('%s refuses a response without version', (revision) => {
  expect(() => validateMessage(revision, 'server', { id: 1, result: {} })).toThrow(
    "required property 'jsonrpc'",
  );
});
