import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';

export interface Launch {
  command: string;
  args: readonly string[];
}

/**
 * Returns the command with which a client starts this server again: its own file when it runs from a checkout, npx when
 * it was installed, since an installed file moves with the next version.
 */
export function launchCommand(from: { entry: string; package: string; platform: NodeJS.Platform }): Launch {
  const file = realFile(from.entry);
  if (file !== '' && !/[\\/]node_modules[\\/]/.test(file)) return { command: 'node', args: [file] };
  const npx = ['-y', from.package];
  // npx is a script there, which clients that spawn without a shell cannot start
  return from.platform === 'win32'
    ? { command: 'cmd', args: ['/c', 'npx', ...npx] }
    : { command: 'npx', args: npx };
}

function realFile(entry: string): string {
  if (entry === '') return '';
  try {
    return realpathSync(entry);
  } catch {
    // started without a file of that name: only the name is known
    return resolve(entry);
  }
}
