import { toError } from '../client/errors.ts';
import { RpcError } from '../jsonrpc/errors.ts';
import { visible } from '../protocol/visible.ts';
import { callTool, complete, getPrompt, printJson, readResource, type Setting } from './actions.ts';
import { connectTo } from './connecting.ts';
import { help } from './help.ts';
import type { Io } from './io.ts';
import { renderInventory, takeInventory } from './listing.ts';
import { type Action, type InspectOptions, readOptions } from './options.ts';
import { Problem } from './problem.ts';
import { Progress } from './progress.ts';

/** Runs a command line and returns the exit status: 1 if the server fails, 2 for a wrong command line. */
export async function inspect(argv: readonly string[], io: Io): Promise<number> {
  try {
    const options = readOptions(argv);
    if (options === 'help') {
      io.out(help);
      return 0;
    }
    const { action } = options;
    if (action.do !== 'check') return await talk(options, action, io);
    const { check } = await import('./checking.ts');
    return await check(options, io, action);
  } catch (error) {
    io.err(`inspect: ${visible(reasonOf(error))}\n`);
    return error instanceof Problem ? 2 : 1;
  }
}

async function talk(
  options: InspectOptions,
  action: Exclude<Action, { do: 'check' }>,
  io: Io,
): Promise<number> {
  const progress = new Progress(io);
  let reportClosed: (reason: string) => void = () => {};
  const over = new Promise<string>((resolve) => {
    reportClosed = resolve;
  });
  const client = await connectTo(options, io, { before: () => progress.clear(), over: reportClosed });
  const request = { onProgress: (update: Parameters<Progress['update']>[0]) => progress.update(update) };
  try {
    const setting: Setting = { client, io: progress.beside(), options, request };
    switch (action.do) {
      case 'list': {
        const inventory = await takeInventory(client);
        if (options.printJson) printJson(io, inventory);
        else io.out(renderInventory(inventory));
        return 0;
      }
      case 'call':
        return await callTool(setting, action.tool);
      case 'read':
        return await readResource(setting, action.uri);
      case 'prompt':
        return await getPrompt(setting, action.name);
      case 'complete':
        return await complete(setting, action.of);
      case 'follow': {
        const { follow } = await import('./follow.ts');
        return await follow(client, io, action, { printJson: options.printJson, over });
      }
    }
  } finally {
    progress.clear();
    await client.close();
  }
}

/** Returns one line with the error message and the data of a server's error. */
function reasonOf(error: unknown): string {
  if (!(error instanceof RpcError)) return toError(error).message;
  const data = error.data === undefined ? '' : ` ${JSON.stringify(error.data)}`;
  return `the server responded with error ${error.code}: ${error.message}${data}`;
}
