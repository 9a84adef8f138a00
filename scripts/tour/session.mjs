import { join } from 'node:path';
import { childProcess, connect } from '@rootbound/protocol/client';
import { root } from '../setup.mjs';

export const cli = join(root, 'servers', 'filesystem', 'dist', 'cli.js');

/**
 * @typedef {object} EraOnTour
 * @property {string} title
 * @property {string} words
 * @property {'2025-11-25' | '2026-07-28'} revision the one that both sides agree on
 * @property {'handshake' | 'auto'} choice
 */

/** @type {readonly EraOnTour[]} */
export const eras = [
  {
    title: 'Handshake era',
    words: 'initialize first, then a session',
    revision: '2025-11-25',
    choice: 'handshake',
  },
  {
    title: 'Stateless era',
    words: 'no session: every request is complete',
    revision: '2026-07-28',
    choice: 'auto',
  },
];

/**
 * Connects a client to a new server process, with the repository and the stage as roots.
 * @param {EraOnTour} era
 * @param {import('./stage.mjs').Stage} stage
 */
export async function openSession({ choice, revision }, stage) {
  const started = performance.now();
  const server = childProcess({ command: process.execPath, args: [cli, root, stage.folder] });
  const client = await connect(server, {
    name: 'rootbound-tour',
    version: '1.0.0',
    era: choice,
    timeout: 8000,
  });
  const connectedIn = performance.now() - started;
  if (client.revision === revision) return { client, connectedIn };
  await client.close();
  throw new Error(`the server agreed on ${client.revision} instead of ${revision}`);
}
