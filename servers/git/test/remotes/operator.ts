import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import type { Pair } from './pair.ts';

/** Puts a shell script before all others on PATH, for servers that are made afterwards in this test. */
export function program({ shared }: Pair, name: string, lines: string): string {
  const folder = join(shared, `bin-${name}`);
  mkdirSync(folder);
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  return path;
}

/** The global configuration of the operator, for servers that are made afterwards in this test. */
export function globalConfig({ shared, git }: Pair, entries: Readonly<Record<string, string>>): void {
  const file = join(shared, 'gitconfig');
  for (const [key, value] of Object.entries(entries)) git(shared, 'config', '-f', file, key, value);
  vi.stubEnv('GIT_CONFIG_GLOBAL', file);
  onTestFinished(() => void vi.unstubAllEnvs());
}
