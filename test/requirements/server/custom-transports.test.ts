import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveSocket } from '@rootbound/protocol/socket';
import { expect, onTestFinished } from 'vitest';
import { documentedTransports } from '../documents.ts';
import { all, handshake, isStateless } from '../revisions.ts';
import { fixture, Stage } from './fixture.ts';
import { Talk } from './talk.ts';
import { turn } from './works.ts';
import { over, shakeHands, type World } from './world.ts';

/** Connects a client on a Unix socket, after the handshake if the revision has one. */
async function open({ revision }: World, stage: Stage) {
  const folder = mkdtempSync(join(tmpdir(), 'rootbound-requirements-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const at = { path: process.platform === 'win32' ? `\\\\.\\pipe\\${folder}` : join(folder, 's') };
  const listener = await serveSocket(fixture(stage), at);
  onTestFinished(() => listener.close(0));
  const socket = connect(at.path);
  onTestFinished(() => void socket.destroy());
  const talk = new Talk({ input: socket, output: socket }, revision, {});
  if (!isStateless(revision)) await shakeHands(talk);
  return { talk, socket };
}

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await turn();
};

over(all, 'a socket is opened, framed and closed by the document', async (world) => {
  const { proves } = world;
  const [connection, framing] = documentedTransports('connection', 'framing');
  const { talk } = await open(world, new Stage());
  const { result } = await talk.call('echo', { text: 'one\ntwo' });
  proves('2024-11-05/base/custom-transport-documents-connection', () => {
    expect(connection).toContain('connects to the path');
    expect(result.content[0].text).toBe('one\ntwo');
  });
  proves('2026-07-28/base/custom-transport-documents-framing', () => {
    expect(framing).toContain('one line of UTF-8');
    // the client of this test splits lines
    expect(talk.lines.every((line) => typeof JSON.parse(line) === 'object')).toBe(true);
  });
});

over(handshake, 'on a socket both sides send, and responses arrive as they are ready', async (world) => {
  const { proves } = world;
  const [exchange] = documentedTransports('exchange');
  const { talk } = await open(world, new Stage());
  const [slow, quick] = [
    talk.start('tools/call', { name: 'later', arguments: {} }),
    talk.start('tools/call', { name: 'add', arguments: { a: 1, b: 2 } }),
  ];
  await talk.answer(slow);
  const order = talk.heard.flatMap(({ id }) => (id === slow || id === quick ? [id] : []));
  await talk.call('announce', { list: 'tools' });
  proves('2024-11-05/base/custom-transport-documents-message-exchange', () => {
    expect(exchange).toContain('both sides send at any time; responses arrive in any order');
    expect(order).toEqual([quick, slow]);
  });
});

over(['2026-07-28'], 'a call on a socket ends by its notification or with the connection', async (world) => {
  const { proves } = world;
  const [cancellation] = documentedTransports('cancellation');
  const stage = new Stage();
  const { talk, socket } = await open(world, stage);
  const id = talk.start('tools/call', { name: 'hold', arguments: { text: 'told' } });
  talk.start('tools/call', { name: 'hold', arguments: { text: 'lost' } });
  await until(() => stage.ran.length === 2);
  talk.notify('notifications/cancelled', { requestId: id });
  await until(() => stage.aborted.length === 1);
  socket.destroy();
  await until(() => stage.aborted.length === 2);
  proves('2026-07-28/base/custom-transport-documents-cancellation', () => {
    expect(cancellation).toContain('a lost connection cancels');
    expect(stage.aborted).toEqual(['told', 'lost']);
  });
});
