import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cyanheads, ours } from '../git/peers.mjs';
import { environmentOfOurs, raw, timeGit } from '../git/raw.mjs';
import { git, gitEnv, makeRepository, nameOf } from '../git/repository.mjs';
import { anonymousKb, cpuAtRest } from '../lib/proc.mjs';
import { percentile, rounds } from '../lib/rounds.mjs';
import { resultOf, Session } from '../lib/session.mjs';

/** @typedef {import('../git/peers.mjs').GitServer} GitServer */
/** @typedef {import('../lib/servers.mjs').Call} Call */
/** @typedef {import('../lib/rounds.mjs').Samples} Samples */

const OFTEN = 25;
/** A call may cost a fifth more than git itself, or this many milliseconds. */
const ALLOWED_MS = 2;

/**
 * The calls of a row: ours, the peer's, and the git commands.
 * @param {string} repository
 * @returns {Record<string, { ours: Call, cyanheads: Call | undefined, raw: readonly string[] }>}
 */
function callsOn(repository) {
  const [path, repo_path] = [repository, repository];
  const file = nameOf(7);
  const revision = git(repository, 'rev-parse', 'HEAD~3').trim();
  return {
    status: { ours: ['git_status', { repo_path }], cyanheads: ['git_status', { path }], raw: raw.status },
    diff: { ours: ['git_diff', { repo_path }], cyanheads: ['git_diff', { path }], raw: raw.diff },
    branches: {
      ours: ['git_branch', { repo_path }],
      cyanheads: ['git_branch', { path, mode: 'list' }],
      raw: raw.branches,
    },
    commit: {
      ours: ['git_log', { repo_path, revision, max_count: 1 }],
      cyanheads: undefined,
      raw: raw.commit,
    },
    log: {
      ours: ['git_log', { repo_path, max_count: 20 }],
      cyanheads: ['git_log', { path, maxCount: 20 }],
      raw: raw.log,
    },
    file: {
      ours: ['git_read_file', { repo_path, path: file, revision: 'HEAD~3' }],
      cyanheads: ['git_show', { path, object: 'HEAD~3', filePath: file }],
      raw: raw.file(file),
    },
  };
}

const allowed = (/** @type {string} */ row) => ({ row, unit: 'ms', over: 'allowed', must: 1 });
const half = (/** @type {string} */ row) => ({ row, unit: 'ms', over: 'raw', must: 0.5 });

/**
 * The wall time of repository reads, compared with the same git commands: the median of many calls, of the best round.
 * @type {import('../lib/group.mjs').Group}
 */
export const gitReads = {
  workload: 'git',
  rows: {
    status: allowed('status, wall over git x1.2 or git + 2 ms'),
    diff: allowed('diff with patch, wall over git x1.2 or git + 2 ms'),
    branches: allowed('160 branches, wall over git x1.2 or git + 2 ms'),
    commit: half('one commit without its patch, wall over git'),
    log: half('log of 20, wall over git'),
    file: half('a file at a revision, wall over git'),
  },
  async run({ trees, quick }) {
    const repository = makeRepository(join(trees.root, 'git'));
    const servers = [ours(), cyanheads(join(trees.root, 'peer'))].filter((one) => one !== undefined);
    const { environment, close } = await environmentOfOurs(repository, join(trees.root, 'recorder'));
    /** @type {Record<string, Record<string, Samples>>} */
    const found = {};
    const sessions = new Map(servers.map(({ name, launch }) => [name, launch(repository)]));
    try {
      for (const session of sessions.values()) await session.initialize();
      for (const [row, calls] of Object.entries(callsOn(repository))) {
        /** @param {string} name */
        const ask = (name) => async () => {
          const session = sessions.get(name);
          const call = name === 'ours' ? calls.ours : calls.cyanheads;
          if (!session || !call) return undefined;
          return medianOf(async () => {
            const began = performance.now();
            const answer = await session.callTool(call);
            const ms = answer.at - began;
            resultOf(answer);
            return ms;
          });
        };
        const samples = await rounds(quick ? 3 : 8, {
          ours: ask('ours'),
          ...(sessions.has('cyanheads') && { cyanheads: ask('cyanheads') }),
          raw: () => medianOf(() => timeGit(repository, calls.raw, environment)),
        });
        const limit = (samples.raw?.values ?? []).map((ms) => Math.max(ms * 1.2, ms + ALLOWED_MS));
        found[row] = { ...samples, allowed: { values: limit } };
      }
    } finally {
      for (const session of sessions.values()) await session.close();
      await close();
    }
    return found;
  },
};

/** @param {() => Promise<number>} measure */
async function medianOf(measure) {
  const values = [];
  for (let i = 0; i < OFTEN; i += 1) values.push(await measure());
  return percentile(values, 0.5) ?? Number.NaN;
}

/**
 * The start of the git server, the size of its list, and its memory after a large answer.
 * @type {import('../lib/group.mjs').Group}
 */
export const gitStart = {
  workload: 'git start',
  rows: {
    cpu: { row: 'git: spawn to tools/list, CPU', unit: 'ms', over: 'responder', must: 1.5, aim: 1.15 },
    wall: { row: 'git: spawn to tools/list, wall', unit: 'ms', over: 'responder' },
    bytes: { row: 'git: tools/list answer of the default tools', unit: 'bytes', must: 19_999 },
    log: { row: 'git: log of 100, answer', unit: 'bytes', must: 65_535 },
    memory: { row: 'git: own memory after a whole diff, a log and a search', unit: 'MiB', must: 100 },
  },
  async run({ responder, trees, quick }) {
    const repository = makeRepository(join(trees.root, 'git-start'));
    /** @type {readonly GitServer[]} */
    const servers = [
      ours(),
      { name: 'responder', launch: () => new Session(responder.launch(repository)) },
      ...[cyanheads(join(trees.root, 'peer'))].filter((one) => one !== undefined),
    ];
    /** @type {Record<string, { wall: number[], bytes: number[] }>} */
    const seen = Object.fromEntries(servers.map(({ name }) => [name, { wall: [], bytes: [] }]));
    const cpu = await rounds(
      quick ? 6 : 20,
      Object.fromEntries(
        servers.map(({ name, launch }) => [
          name,
          async () => {
            const session = launch(repository);
            try {
              await session.initialize();
              const answer = await session.request('tools/list');
              seen[name]?.wall.push(answer.at - session.started);
              seen[name]?.bytes.push(answer.line.length + 1);
              return cpuAtRest(session.pid) / 1e6;
            } finally {
              await session.close();
            }
          },
        ]),
      ),
    );
    /** @param {'wall' | 'bytes'} kind */
    const of = (kind) =>
      Object.fromEntries(Object.entries(seen).map(([name, one]) => [name, { values: one[kind] }]));
    return { cpu, wall: of('wall'), bytes: of('bytes'), ...(await answersOf(repository)) };
  },
};

/** @param {string} repository */
async function answersOf(repository) {
  const session = ours().launch(repository);
  try {
    await session.initialize();
    const log = await session.callTool(['git_log', { repo_path: repository, max_count: 100 }]);
    const repo_path = repository;
    await session.callTool(['git_diff', { repo_path, target: 'HEAD~1500..HEAD' }]);
    await session.callTool(['git_log', { repo_path, max_count: 1000 }]);
    await session.callTool(['git_search', { repo_path, pattern: 'line' }]);
    const memory = anonymousKb(session.pid) / 1024;
    return { log: { ours: { values: [log.line.length] } }, memory: { ours: { values: [memory] } } };
  } finally {
    await session.close();
  }
}

/**
 * The time from a change by another program to the notification: commit, switch, stage, fetch.
 * @type {import('../lib/group.mjs').Group}
 */
export const gitWatch = {
  workload: 'git watch',
  rows: {
    p99: { row: 'git: commit, switch, stage, fetch to notification, p99', unit: 'ms', must: 250 },
    own: { row: 'git: notifications of our own reads', unit: 'notifications', must: 0 },
  },
  async run({ trees, quick }) {
    const repository = makeRepository(join(trees.root, 'git-watch'));
    const other = join(trees.root, 'git-other');
    git(trees.root, 'clone', '-q', repository, other);
    git(repository, 'remote', 'add', 'other', other);
    const session = ours().launch(repository);
    try {
      await session.initialize();
      const uri = (/** @type {string} */ query) => `git://${repository}?${query}`;
      const kinds = { commit: 'ref=HEAD', switch: 'ref=HEAD', stage: 'index', fetch: 'refs' };
      for (const query of new Set(Object.values(kinds)))
        resultOf(await session.request('resources/subscribe', { uri: uri(query) }));
      /** @type {string[]} */
      const notified = [];
      /** @type {Map<string, (at: number) => void>} */
      const waiting = new Map();
      session.onNotification = ({ method, params }, at) => {
        if (method !== 'notifications/resources/updated') return;
        notified.push(params?.uri);
        waiting.get(params?.uri)?.(at);
      };
      /** @type {number[]} */
      const delays = [];
      for (let i = 0; i < (quick ? 5 : 30); i += 1) {
        for (const [kind, query] of Object.entries(kinds)) {
          const arrival = new Promise((resolve) => waiting.set(uri(query), resolve));
          const ended = await change(kind, repository, other, i);
          delays.push(Math.max(0, Number(await arrival) - ended));
          waiting.delete(uri(query));
        }
      }
      notified.length = 0;
      const repo_path = repository;
      for (const call of ['git_status', 'git_diff', 'git_log', 'git_overview'])
        resultOf(await session.callTool([call, { repo_path }]));
      // notifications caused by the reads would arrive before that of the new ref
      const arrival = new Promise((resolve) => waiting.set(uri(kinds.fetch), resolve));
      git(repository, 'update-ref', 'refs/heads/fence', 'HEAD');
      await arrival;
      const own = notified.filter((one) => one !== uri(kinds.fetch)).length;
      return {
        p99: { ours: { values: [percentile(delays, 0.99) ?? Number.NaN] } },
        own: { ours: { values: [own] } },
      };
    } finally {
      await session.close();
    }
  },
};

/**
 * Makes a change by another program; resolves with the time of its exit.
 * @param {string} kind
 * @param {string} repository
 * @param {string} other
 * @param {number} i
 */
async function change(kind, repository, other, i) {
  if (kind === 'stage') writeFileSync(join(repository, nameOf(50)), `staged ${i}\n`);
  if (kind === 'fetch') git(other, 'commit', '-qm', `other ${i}`, '--allow-empty');
  const args = {
    commit: ['commit', '-qm', `one ${i}`, '--allow-empty'],
    switch: ['switch', '-q', '-c', `at/${i}`],
    stage: ['add', nameOf(50)],
    fetch: ['-c', 'protocol.file.allow=always', 'fetch', '-q', 'other'],
  }[kind];
  const child = spawn('git', args ?? [], { cwd: repository, stdio: 'ignore', env: gitEnv });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`git ${kind} ended with ${code}`);
  return performance.now();
}
