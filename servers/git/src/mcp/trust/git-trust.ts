import { agree, canAsk } from '@rootbound/kit/call';
import { type Ask, type CallContext, ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { repoPath } from '../../call/arguments.ts';
import type { Opened } from '../../call/open-repository.ts';
import { tool, type Workspace } from '../../call/workspace.ts';
import { assertOwn, isOwnRepository } from '../../repository/owner.ts';
import type { TrustState } from '../../repository/trust.ts';
import { findingText, questionOf } from './question.ts';

const input = z.strictObject({
  repo_path: repoPath,
  revoke: z.boolean().optional().describe('withdraw trust that the user gave'),
});

const suppressed = z.object({
  key: z.string(),
  scope: z.string(),
  what: z.string(),
  submodule: z.string().optional(),
});

const output = z.object({
  repository: z.string(),
  trust: z.enum(['untrusted', 'trusted', 'changed']),
  runs: z.array(suppressed).describe('the programs and settings that trust permits, by name'),
});

/** The agreement of the user: this repository, with everything that can execute as it was then. */
interface Agreed {
  readonly identity: string;
  readonly hash: string;
}

export const gitTrust = tool({
  name: 'git_trust',
  title: 'Trust a repository',
  description:
    'Asks the user whether hooks, filters, merge drivers and signing programs of a repository may run. Ends when any of them changes, and with the server.',
  input,
  output,
  annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: true },
  ask({ repo_path, revoke }, ask, context) {
    return revoke === true ? undefined : askForTrust(repo_path, ask, context);
  },
  run({ repo_path, revoke }, { answers: agreed, scope: { scope, repositories }, signal }) {
    return repositories.use(scope, repo_path, signal, async (opened) => {
      const { audit, repository, state } = opened;
      const resultFor = (trust: TrustState) => ({
        repository: opened.displayPath,
        trust,
        runs: trust === 'trusted' ? [...audit.suppressed] : [],
      });
      if (revoke === true) {
        const left = repositories.distrust(opened);
        if (left !== 'trusted') return resultFor(left);
        throw new ToolError('the operator trusts this repository, which no call can withdraw', {
          code: 'operator-trust',
          hint: 'the operator can start the server without that --trust',
        });
      }
      if (state === 'trusted' && agreed === undefined) return resultFor('trusted');
      if (agreed?.identity !== repository.identity || agreed.hash !== audit.hash) throw changed();
      repositories.trust(opened);
      return resultFor('trusted');
    });
  },
  render: textOf,
});

/** Asks for trust in the present programs; undefined where nothing is to be asked. */
async function askForTrust(
  path: string | undefined,
  ask: Ask,
  { facts, scope: { scope, repositories }, signal }: CallContext<Workspace>,
): Promise<Agreed | undefined> {
  const wanted = await repositories.use(scope, path, signal, async (opened) => {
    if (opened.state === 'trusted') return undefined;
    await assertTrustable(opened, signal);
    const { audit, repository, displayPath: where } = opened;
    const question = questionOf({ path: where, suppressed: audit.suppressed, hash: audit.hash });
    return { question, agreed: { identity: repository.identity, hash: audit.hash } };
  });
  if (wanted === undefined) return undefined;
  if (!canAsk(facts))
    throw new ToolError('this client cannot ask its user, who alone may trust a repository', {
      code: 'cannot-ask',
      hint: 'the operator can start the server with --trust and the path of the repository',
    });
  await agree(ask, wanted.question, 'Trust it');
  return wanted.agreed;
}

async function assertTrustable({ audit, git, repository }: Opened, signal: AbortSignal): Promise<void> {
  if (!isOwnRepository(repository, true)) await assertOwn(git, repository, signal);
  if (audit.suppressed.length > 0) return;
  throw new ToolError('this repository configures no programs', {
    code: 'nothing-to-trust',
    hint: 'no trust is needed',
  });
}

function changed(): ToolError {
  return new ToolError('the programs of the repository have changed since the user agreed', {
    code: 'changed',
    retryable: true,
    hint: 'nothing was trusted; call again to ask anew',
  });
}

function textOf({ repository, trust, runs }: z.input<typeof output>): string {
  const lines = [`${repository}: ${trust}`];
  if (runs.length > 0) lines.push('may run:', ...runs.map((each) => `  ${each.what} ${findingText(each)}`));
  return lines.join('\n');
}
