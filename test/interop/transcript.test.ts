import { expect, test } from 'vitest';
import type { Revision } from '../schema/official.ts';
import type { Message } from './message.ts';
import { Transcript } from './transcript.ts';
import { initialize, request, stateless } from './wire.ts';

const tools = { tools: [{ name: 'read', inputSchema: { type: 'object' } }] };

function shaken(revision: Revision): Transcript {
  const transcript = new Transcript();
  asks(transcript, initialize(revision));
  const serverInfo = { name: 'server', version: '1.0.0' };
  says(transcript, { id: 0, result: { protocolVersion: revision, capabilities: {}, serverInfo } });
  return transcript;
}

function asks(transcript: Transcript, message: Message): void {
  transcript.toServer(`${JSON.stringify(message)}\n`);
}

function says(transcript: Transcript, message: Message): void {
  transcript.fromServer(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

test('valid responses are no fault, in either era and in any chunks', () => {
  const transcript = shaken('2025-06-18');
  asks(transcript, request(1, 'tools/list'));
  asks(transcript, stateless(2, 'tools/list'));
  const plain = JSON.stringify({ jsonrpc: '2.0', id: 1, result: tools });
  const hinted = { ...tools, resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
  const full = JSON.stringify({ jsonrpc: '2.0', id: 2, result: hinted });
  for (const piece of `${plain}\n${full}\n`) transcript.fromServer(piece);
  expect([transcript.faults, transcript.received.length]).toEqual([[], 3]);
});

test.each<[string, Message]>([
  ['an answer without what its method promises', { id: 1, result: {} }],
  ['an answer to what was not asked', { id: 7, result: {} }],
  ['a request that the revision does not have', { id: 1, method: 'elicitation/create', params: {} }],
  ['a notification of the other era', { method: 'notifications/subscriptions/acknowledged', params: {} }],
])('%s is a fault', (_what, message) => {
  const transcript = shaken('2025-03-26');
  asks(transcript, request(1, 'tools/list'));
  says(transcript, message);
  expect(transcript.faults).toHaveLength(1);
});

test('a stateless response without resultType is a fault', () => {
  const transcript = new Transcript();
  asks(transcript, stateless(1, 'tools/list'));
  says(transcript, { id: 1, result: tools });
  expect(transcript.faults).toHaveLength(1);
});

test('a second response, invalid JSON, and an incomplete last line are faults', () => {
  const transcript = shaken('2025-11-25');
  asks(transcript, request(1, 'tools/list'));
  says(transcript, { id: 1, result: tools });
  says(transcript, { id: 1, result: tools });
  transcript.fromServer('listening\n{"jsonrpc"');
  transcript.close();
  expect(transcript.faults).toHaveLength(3);
});
