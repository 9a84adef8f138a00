import { ARMED, CALLS, type NameMessage, NEVER, type ThreadData, TURN } from './cells.ts';

/**
 * The program of the watchdog's thread: ends the process when one turn of the main thread has spent more CPU than it
 * may. It runs from its own text, so it refers to nothing outside of itself.
 */
function watchTurns(at: { ARMED: number; TURN: number; NEVER: number; CALLS: number }): void {
  const { parentPort, receiveMessageOnPort, workerData } = process.getBuiltinModule('node:worker_threads');
  const { readFileSync, write } = process.getBuiltinModule('node:fs');
  const { cells, server, limitMs, lookMs } = workerData as ThreadData; // start.ts gives these

  // of the main thread alone, where the system reports it; its id is that of the process
  const task = `/proc/self/task/${process.pid}`;
  const fromSchedule = (): number => Number(readFileSync(`${task}/schedstat`, 'latin1').split(' ')[0]) / 1e6;
  const fromStat = (): number => {
    const stat = readFileSync(`${task}/stat`, 'latin1');
    // after the name of the thread, which may have blanks; Linux counts hundredths of a second there
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  };
  // all threads together, which is more; one thread never spends more than the time that passes
  const began = performance.now();
  let spent = process.cpuUsage();
  let bound = 0;
  let looked = began;
  const fromProcess = (): number => {
    const now = performance.now();
    const { user, system } = process.cpuUsage(spent);
    spent = process.cpuUsage();
    bound += Math.min((user + system) / 1000, now - looked);
    looked = now;
    return bound;
  };
  const cpuMs =
    [fromSchedule, fromStat].find((read) => {
      try {
        return Number.isFinite(read());
      } catch {
        // another system, or a container without this file
        return false;
      }
    }) ?? fromProcess;

  let turn = -1;
  let before = 0;
  for (;;) {
    Atomics.wait(cells, at.ARMED, 0);
    const now = cpuMs();
    const current = Atomics.load(cells, at.TURN);
    if (current !== turn) {
      turn = current;
      before = now;
    } else if (now - before > limitMs + lookMs) break; // turns before the count was due may have spent up to lookMs
    Atomics.wait(cells, at.NEVER, 0, lookMs);
  }

  const names = new Map<number, string>();
  // the main thread sends nothing else
  const next = (): { message: NameMessage } | undefined =>
    parentPort === null
      ? undefined
      : (receiveMessageOnPort(parentPort) as { message: NameMessage } | undefined);
  for (let got = next(); got !== undefined; got = next()) names.set(got.message[0], got.message[1]);
  const running: string[] = [];
  for (let id = 1; at.CALLS + id < cells.length; id++) {
    const count = cells[at.CALLS + id] ?? 0;
    // names may come from a client: as JSON they stay in their line
    const name = JSON.stringify(names.get(id) ?? 'others').replace(/[^\x20-\x7e]/g, '?');
    if (count > 0) running.push(count > 1 ? `${name} (${count})` : name);
  }
  const calls = running.length === 0 ? 'a call that has ended' : running.join(', ');
  const line = `${server}: ended: one turn of the event loop spent more than ${limitMs / 1000} s of CPU; in progress: ${calls}\n`;
  const end = (): void => {
    process.kill(process.pid, 'SIGKILL');
  };
  // nobody may read stderr
  setTimeout(end, 1000);
  write(2, line, end);
}

/** The program as text, for a worker. */
export const turnsProgram = `(${watchTurns.toString()})(${JSON.stringify({ ARMED, TURN, NEVER, CALLS })})`;
