import type { Opened } from '../../call/open-repository.ts';
import { refsCommand } from '../../porcelain/refs.ts';
import { stashesCommand } from '../../porcelain/stash.ts';
import { command } from '../../run/command.ts';
import { refName } from '../../run/operand.ts';
import type { Watched } from './watched.ts';

/** Reads the same as from files by git: where refs are stored otherwise, or are too many. */
export async function askGit(opened: Opened, { kind, ref }: Watched): Promise<string> {
  if (kind === 'stash') return (await opened.run(stashesCommand())).stdout.toString('latin1');
  const name = kind === 'ref' ? ref! : 'HEAD';
  const { stdout } = await opened.run(
    command('symbolic-ref', { flags: ['--quiet'], names: [refName(name)] }),
    { okay: [0, 1, 128] },
  );
  const found = await opened.objects.info(name);
  const all = kind === 'refs' ? (await opened.run(refsCommand())).stdout : '';
  return [stdout, found?.oid, all].join('\n');
}
