import { vi } from 'vitest';

/** Lets the test control the time of periodic checks. */
export function holdClock(): void {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
}

/** Resolves when everything written within this process has been read. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}
