import { Opened } from '../../src/call/open-repository.ts';
import { auditOf } from '../../src/repository/audit.ts';
import { Objects } from '../../src/repository/objects.ts';
import { readingPlace } from '../../src/repository/private-dir.ts';
import type { Repository } from '../../src/repository/repository.ts';
import type { TrustState } from '../../src/repository/trust.ts';
import type { Git } from '../../src/run/git.ts';

/** A repository as a call works with it. */
export async function openedAs(state: TrustState, git: Git, repository: Repository): Promise<Opened> {
  const audit = await auditOf(git, repository);
  const objects = new Objects({ git, repository, place: () => readingPlace(repository, audit.given) });
  return new Opened({ git, repository, audit, state, objects, signal: new AbortController().signal });
}
