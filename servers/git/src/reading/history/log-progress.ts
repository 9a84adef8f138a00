import type { Tell } from '../../call/list-progress.ts';
import type { Opened } from '../../call/open-repository.ts';
import { LogCounter } from '../../porcelain/log-count.ts';
import type { Command } from '../../run/command.ts';
import type { Finished } from '../../run/run.ts';

/** Runs a log and reports how many commits it has printed; `count` runs beside it and prints the total. */
export async function runWithProgress(
  opened: Opened,
  asked: Command,
  count: Command | undefined,
  tell: Tell,
): Promise<Finished> {
  const counter = new LogCounter();
  let total: number | undefined;
  const counting = count === undefined ? undefined : opened.stream(count);
  const counted = readCount(counting?.chunks, (number) => {
    total = number;
    tell(counter.commits, total);
  });
  try {
    const finished = await opened.run(asked, {
      onStdout: (chunk) => {
        counter.push(chunk);
        tell(counter.commits, total);
      },
    });
    tell(counter.commits, counter.commits);
    return finished;
  } finally {
    counting?.stop();
    await counted;
    // a failed count leaves the log without a total
    await counting?.finished.catch(() => undefined);
  }
}

async function readCount(
  chunks: AsyncIterable<Buffer> | undefined,
  onCount: (count: number) => void,
): Promise<void> {
  let printed = '';
  for await (const chunk of chunks ?? []) {
    printed += chunk.toString('latin1');
    if (/^\d+\n$/.test(printed)) onCount(Number(printed));
  }
}
