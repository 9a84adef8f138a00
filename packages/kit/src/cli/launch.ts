import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';

export interface Launch {
  command: string;
  args: readonly string[];
}

/**
 * How a client starts this server again: by its own file when it runs from a checkout, through npx when it was
 * installed, since an installed file moves with the next version.
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
    // started in a way that leaves no file behind the name: the name is all there is
    return resolve(entry);
  }
}
