import { execFile, spawnSync } from 'node:child_process';
import { readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildFolder, bundleInto } from '../bundle.ts';
import { publicAddresses, resolved } from './corpus/cases.ts';
import scenarios from './corpus/rebinding.json' with { type: 'json' };
import type { Report } from './report.ts';

// a user other than root may be root of a user namespace, if the system allows unprivileged ones
const isolation = [...(process.getuid?.() === 0 ? [] : ['-U', '-r']), '-n'];

/** Returns whether this system allows a process a network namespace with its own routes. */
function canIsolate(): boolean {
  const script = 'ip link set lo up && ip route add local 0.0.0.0/0 dev lo';
  return (
    process.platform === 'linux' && spawnSync('unshare', [...isolation, 'sh', '-c', script]).status === 0
  );
}

/** Runs the program with all cases in a network where every address leads to its listeners. */
async function findOut(): Promise<Report> {
  const folder = buildFolder('guard');
  try {
    await bundleInto(folder, { reach: 'test/guard/reach.ts' }, 'esm');
    const program = [process.execPath, join(folder, 'reach.js'), readlinkSync('/proc/self/ns/net')];
    const { stdout } = await promisify(execFile)('unshare', [...isolation, ...program], {
      maxBuffer: 64 << 20,
    });
    // the program prints only a report
    return JSON.parse(stdout) as Report;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe.runIf(canIsolate())('in a network where every address responds', () => {
  let report: Report;
  beforeAll(async () => {
    report = await findOut();
  });

  test('the control without the guard reaches more than a thousand of the URLs that are to be refused', () => {
    const reached = Object.values(report.unguarded).filter(({ connected }) => connected);
    expect(reached.length).toBeGreaterThan(report.ipv6 ? 2000 : 1000);
    const internal = [
      '127.0.0.1',
      '10.0.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '100.100.100.200',
      '168.63.129.16',
    ];
    expect(report.unguardedArrivals).toEqual(expect.arrayContaining(internal));
    if (report.ipv6)
      expect(report.unguardedArrivals).toEqual(
        expect.arrayContaining(['::1', 'fd00:ec2::254', '64:ff9b::7f00:1']),
      );
  });

  test('the guard reaches none of them, and no connection comes about', () => {
    const tried = Object.entries(report.guarded);
    expect(tried).toHaveLength(Object.keys(report.unguarded).length);
    expect(tried.filter(([, { outcome, connected }]) => connected || outcome === 'answered')).toEqual([]);
    expect(report.guardedArrivals).toEqual([]);
  });

  test('all that the control reached was refused by the guard and did not fail for another reason', () => {
    const codes = Object.entries(report.unguarded)
      .filter(([, { connected }]) => connected)
      .map(([url]) => report.guarded[url]?.outcome);
    expect(new Set(codes)).toEqual(new Set(['address-refused', 'port-refused']));
  });

  test("plain sockets with the guard's lookup reach no internal name either", () => {
    expect(report.plain).toEqual(
      Object.fromEntries(Object.keys(resolved).map((name) => [name, 'address-refused'])),
    );
    expect(report.plainArrivals).toEqual([]);
  });

  test('the guard allows connections to public addresses, and they arrive', () => {
    const usable = publicAddresses.filter((address) => report.ipv6 || !address.includes(':'));
    expect(report.public).toEqual(Object.fromEntries(usable.map((address) => [address, [address]])));
  });

  test.each(scenarios)('a name that leads to $name is reached at what was judged alone', (scenario) => {
    const found = report.rebinding.find(({ name }) => name === scenario.name);
    const rows = scenario.connections.filter(
      (row) => report.ipv6 || typeof row === 'string' || !row.some((address) => address.includes(':')),
    );
    expect(found?.connections.filter((row) => row !== 'failed')).toEqual(rows);
    expect(found?.lookups).toBe(scenario.connections.length);
  });

  test('without the guard those names reach internal addresses', () => {
    const inside = report.rebinding.filter(({ unguarded }) =>
      unguarded.some((address) => !publicAddresses.includes(address)),
    );
    expect(inside.length).toBeGreaterThan(report.ipv6 ? 18 : 12);
  });

  test('a kept connection keeps its checked address, after a change of its name', () => {
    expect(report.kept).toEqual({ arrivals: ['93.184.216.34'], lookups: 1 });
  });
});
