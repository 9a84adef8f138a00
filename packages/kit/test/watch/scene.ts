import { lstatSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { WatchHub, type WatchHubOptions, type WatchKind } from '../../src/watch.ts';

/** A directory of the test's own, real and removed afterwards. */
export function scratch(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'watch-')));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

export function openHub(options: WatchHubOptions = {}): { hub: WatchHub; errors: string[] } {
  const errors: string[] = [];
  const hub = new WatchHub({ onError: (error) => errors.push(error.message), ...options });
  onTestFinished(() => hub.close());
  return { hub, errors };
}

/** A file's content, a directory's entries in order, or `missing`. */
export function state(path: string): string {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 'missing';
  return stats.isDirectory() ? readdirSync(path).sort().join(' ') : readFileSync(path, 'utf8');
}

/** Hears the calls for a path and notes, at each one, what is there. */
export class Ear {
  readonly path: string;
  readonly heard: string[] = [];
  stop: () => void = () => {};
  #waiting: { value: string; resolve: () => void } | undefined;

  constructor(path: string) {
    this.path = path;
  }

  static async on(hub: WatchHub, path: string, kind: WatchKind = 'any'): Promise<Ear> {
    const ear = new Ear(path);
    ear.stop = await hub.watch(path, kind, ear.note);
    return ear;
  }

  readonly note = (): void => {
    const now = state(this.path);
    this.heard.push(now);
    if (this.#waiting?.value === now) this.#waiting.resolve();
  };

  /** Makes a change that leads to `value`, and resolves when a call comes at which that is there. */
  async hears(value: string, change: () => void): Promise<void> {
    const heard = new Promise<void>((resolve) => {
      this.#waiting = { value, resolve };
    });
    change();
    await heard;
  }
}
