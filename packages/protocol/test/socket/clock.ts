import { vi } from 'vitest';

/** Lets the test say how time passes for what looks at connections now and then. */
export function holdClock(): void {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
}

/** Resolves when what was written within this process has been read. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}
