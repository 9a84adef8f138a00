import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { describeMachine } from './lib/machine.mjs';
import { readPage, renderPage } from './lib/page.mjs';
import { finding } from './lib/row.mjs';
import { contestants } from './lib/servers.mjs';
import { renderTable } from './lib/table.mjs';
import { Trees } from './lib/trees.mjs';
import { bundle } from './rows/bundle.mjs';
import { changes } from './rows/changes.mjs';
import { fetchPages, fetchStart, fetchWaits } from './rows/fetch.mjs';
import { gitReads, gitStart, gitWatch } from './rows/git.mjs';
import { http } from './rows/http.mjs';
import { idle, idleMany } from './rows/idle.mjs';
import { latency } from './rows/latency.mjs';
import { listWide } from './rows/list.mjs';
import { readPart } from './rows/memory.mjs';
import { packed } from './rows/package.mjs';
import { parted } from './rows/parts.mjs';
import { peak } from './rows/peak.mjs';
import { readLarge, readSmall } from './rows/read.mjs';
import { searchContent, searchNames } from './rows/search.mjs';
import { sqlitePages, sqlitePoints, sqliteReads, sqliteWatch } from './rows/sqlite.mjs';
import { sqliteRunaway, sqliteStart } from './rows/sqlite-limits.mjs';
import { start } from './rows/start.mjs';
import { stdio } from './rows/stdio.mjs';
import { types } from './rows/types.mjs';
import { watch, watchMany } from './rows/watch.mjs';
import { writeLarge } from './rows/write.mjs';

/** The file with the last numbers of each row. */
const PAGE = new URL('../../docs/numbers.md', import.meta.url);
const HELP = `npm run bench -- [options]

Writes what it finds into docs/numbers.md, unless with --quick or --server.

  --quick          fewer rounds, smaller crowds
  --only TEXT      only the rows whose workload or name holds TEXT (repeatable)
  --json FILE      writes the rows there
  --server CMD     measures another server in the place of ours: a command with our options, responder or official
`;

/** The rows of filesystem servers. */
/** @type {readonly import('./lib/group.mjs').Group[]} */
const serverGroups = [
  start,
  readSmall,
  readLarge,
  parted,
  writeLarge,
  listWide,
  searchNames,
  searchContent,
  watch,
  watchMany,
  readPart,
  peak,
  latency,
];

/** The rows of the packages. */
/** @type {readonly import('./lib/group.mjs').Group[]} */
const packageGroups = [
  packed,
  http,
  idle,
  idleMany,
  changes,
  stdio,
  bundle,
  types,
  gitStart,
  gitReads,
  gitWatch,
  sqliteStart,
  sqlitePoints,
  sqliteReads,
  sqlitePages,
  sqliteWatch,
  sqliteRunaway,
  fetchStart,
  fetchPages,
  fetchWaits,
];

process.exitCode = await main().catch((error) => {
  process.stderr.write(`bench: ${error.message}\n`);
  return 1;
});

async function main() {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      json: { type: 'string' },
      server: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  if (process.platform !== 'linux') throw new Error('the benchmark reads /proc and needs Linux');
  const findings = await measure({ quick: values.quick, only: values.only, server: values.server });
  process.stdout.write(`\n${renderTable(findings)}`);
  if (values.json !== undefined) {
    writeFileSync(
      values.json,
      `${JSON.stringify(
        findings.map(({ row }) => row),
        null,
        2,
      )}\n`,
    );
  }
  if (!values.quick && values.server === undefined) {
    const on = `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} x ${cpus()[0]?.model.trim()}`;
    writeFileSync(PAGE, renderPage(readPage(PAGE), findings, on));
  }
  const failed = findings.filter(({ row }) => row.pass === false).length;
  const notRun = findings.filter(({ row }) => row.pass === null && row.must !== null).length;
  process.stdout.write(`${findings.length} rows, ${failed} failed, ${notRun} not run\n`);
  return failed > 0 || findings.length === 0 ? 1 : 0;
}

/** @param {{ quick: boolean, only: readonly string[], server: string | undefined }} options */
async function measure({ quick, only, server }) {
  const { ours, responder, peers, missing } = contestants(server);
  for (const name of missing) process.stderr.write(`not installed, its column stays empty: ${name}\n`);
  process.stdout.write(`${describeMachine()}\n`);
  const trees = new Trees();
  const stop = () => {
    trees.remove();
    process.exit(130);
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  const context = { ours, responder, peers, all: [ours, responder, ...peers], trees, quick };
  const findings = [];
  const groups = server === undefined ? [...serverGroups, ...packageGroups] : serverGroups;
  try {
    for (const group of groups) {
      if (group.fullOnly && quick) continue;
      const wanted = Object.entries(group.rows).filter(([, { row }]) =>
        matches(`${group.workload} ${row}`, only),
      );
      if (wanted.length === 0) continue;
      process.stderr.write(`${group.workload}: ${wanted.map(([, { row }]) => row).join('; ')}\n`);
      const samples = await group.run(context);
      for (const [key, spec] of wanted) findings.push(finding(group.workload, spec, samples[key] ?? {}));
    }
  } finally {
    trees.remove();
  }
  process.stdout.write(`${describeMachine()}\n`);
  return findings;
}

/**
 * @param {string} name
 * @param {readonly string[]} only
 */
function matches(name, only) {
  return only.length === 0 || only.some((text) => name.includes(text));
}
