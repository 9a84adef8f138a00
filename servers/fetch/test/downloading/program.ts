import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { bundleInto } from '../bundle.ts';

/** Bundles this server for a plain Node process; returns the file to start. */
export async function bundleServer(folder: string): Promise<string> {
  await bundleInto(folder, { cli: 'src/cli.ts', reader: 'src/reading/worker.ts' }, 'esm');
  return join(folder, 'cli.js');
}

/** Starts a server that calls one tool and sends no more messages. */
export function startCalling(
  command: readonly string[],
  tool: string,
  args: Record<string, unknown>,
): ChildProcess {
  const [program = '', ...rest] = command;
  const child = spawn(program, rest, { stdio: ['pipe', 'pipe', 'ignore'] });
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { name: tool, arguments: args, _meta: meta };
  child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`);
  return child;
}
