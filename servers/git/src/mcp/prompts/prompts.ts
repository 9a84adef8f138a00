import type { Offers } from '@rootbound/kit/prompts';
import { type Complete, type PromptDefinition, prompt } from '@rootbound/protocol';
import type { Workspace } from '../../call/workspace.ts';

/** code that only a chosen prompt needs is loaded then */
const completeRefs: Complete<Workspace> = async (...typed) =>
  (await import('../completing/refs.ts')).completeRefs(...typed);
const completeAuthors: Complete<Workspace> = async (...typed) =>
  (await import('../completing/authors.ts')).completeAuthors(...typed);
const completePaths: Complete<Workspace> = async (...typed) =>
  (await import('../completing/paths.ts')).completePaths(...typed);
const completeRepositories: Complete<Workspace> = async (...typed) =>
  (await import('../completing/repositories.ts')).completeRepositories(...typed);

const repoPath: NonNullable<PromptDefinition<Workspace>['arguments']>[number] = {
  name: 'repo_path',
  description: 'the repository; may be left out where there is one root',
  complete: completeRepositories,
};

/** The prompts of a client's menu; each is offered where the tools that it needs are. */
export const promptsFor = (offers: Offers): readonly PromptDefinition<Workspace>[] =>
  all(offers)
    .filter(({ needs }) => needs.every(offers))
    .map(({ prompt: offered }) => offered);

const all = (
  offers: Offers,
): readonly { needs: readonly string[]; prompt: PromptDefinition<Workspace> }[] => [
  {
    needs: ['git_commit'],
    prompt: prompt<Workspace>({
      name: 'commit',
      title: 'Commit what is staged',
      description: 'Writes a message from the staged diff, and commits once you agree.',
      arguments: [repoPath, { name: 'note', description: 'what the message should say besides' }],
      ask: async (...asked) => (await import('./commit.ts')).askForMessage(...asked),
      get: async (...asked) => (await import('./commit.ts')).commit(...asked),
    }),
  },
  {
    needs: ['git_diff', 'git_log'],
    prompt: prompt<Workspace>({
      name: 'review_range',
      title: 'Review a range',
      description: 'Reviews what one revision has beyond another: commits and diff come with the question.',
      arguments: [
        { name: 'base', description: 'the revision before', required: true, complete: completeRefs },
        { name: 'head', description: 'the revision to review; HEAD when left out', complete: completeRefs },
        repoPath,
      ],
      get: async (...asked) => (await import('./review-range.ts')).reviewRange(...asked),
    }),
  },
  {
    needs: ['git_conflicts'],
    prompt: prompt<Workspace>({
      name: 'explain_conflict',
      title: 'Explain a conflict',
      description: 'Explains what both sides of the conflicts wanted, and how to join them.',
      arguments: [
        { name: 'path', description: 'one path; all conflicts when left out', complete: completePaths },
        repoPath,
      ],
      get: async (args, context) =>
        (await import('./explain-conflict.ts')).explainConflict(args, context, offers),
    }),
  },
  {
    needs: ['git_diff', 'git_log'],
    prompt: prompt<Workspace>({
      name: 'summarize_branch',
      title: 'Summarise a branch',
      description: 'Summarises what a branch has beyond its base, as the text of a pull request.',
      arguments: [
        { name: 'branch', description: 'HEAD when left out', complete: completeRefs },
        {
          name: 'base',
          description: 'what it goes on from; the main branch when left out',
          complete: completeRefs,
        },
        { name: 'author', description: 'only the commits of this author', complete: completeAuthors },
        repoPath,
      ],
      get: async (...asked) => (await import('./summarize-branch.ts')).summarizeBranch(...asked),
    }),
  },
  {
    needs: ['git_trust'],
    prompt: prompt<Workspace>({
      name: 'review_trust',
      title: 'Review what a repository would run',
      description: 'Explains the hooks and settings that trust in a repository would let run.',
      arguments: [repoPath],
      get: async (...asked) => (await import('./review-trust.ts')).reviewTrust(...asked),
    }),
  },
];
