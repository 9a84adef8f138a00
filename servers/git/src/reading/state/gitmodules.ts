import { join } from 'node:path';
import { readSmall } from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import { type Declared, declaredCommand, parseDeclared } from '../../porcelain/submodules.ts';
import { isNotFound } from '../../repository/refusals.ts';

/** Bytes of a .gitmodules that is read. */
const MOST_BYTES = 1 << 20;

/**
 * Returns the entries of .gitmodules from the work tree or the index, as git does; undefined where git cannot read it.
 */
export async function declaredOf(opened: Opened): Promise<Declared[] | undefined> {
  const text = inWorkTree(opened) ?? (await inIndex(opened));
  if (text === 'missing') return [];
  if (text === 'too large') return undefined;
  const { status, stdout } = await opened.run(declaredCommand(text), { okay: [0, 1, 128] });
  return status === 0 ? parseDeclared(stdout) : undefined;
}

function inWorkTree({ repository: { place, opened } }: Opened): Buffer | 'too large' | undefined {
  try {
    const file = join(place.workTree!, '.gitmodules');
    return readSmall(opened.roots, file, MOST_BYTES)?.bytes ?? 'too large';
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function inIndex(opened: Opened): Promise<Buffer | 'too large' | 'missing'> {
  try {
    const { oid } = await opened.find(':.gitmodules', 'blob');
    return (await opened.objects.contents(oid, MOST_BYTES))?.bytes ?? 'too large';
  } catch (error) {
    if (error instanceof ToolError) return 'missing';
    throw error;
  }
}
