import { isObject } from '../../jsonrpc/message.ts';
import { given, holds } from './finding.ts';
import { describe } from './listing.ts';
import type { Rules } from './rules.ts';
import type { Scene } from './scene.ts';

const noPrompt = {
  ref: { type: 'ref/prompt', name: 'inspect-no-such-prompt' },
  argument: { name: 'any', value: '' },
};

export const utilityRules: Rules = {
  'completion/declares-capability': async (scene) => {
    if (scene.has('completions')) return;
    const { error, result } = await scene.talk.ask('completion/complete', noPrompt);
    holds(
      error?.code === -32601,
      `without the capability it was answered with ${describe({ error, result })}`,
    );
  },
  'completion/unsupported-completion-error-32601': async (scene) => {
    given(!scene.has('completions'), 'the server has completions');
    const { error, result } = await scene.talk.ask('completion/complete', noPrompt);
    holds(error?.code === -32601, `completion/complete was answered with ${describe({ error, result })}`);
  },
  'completion/invalid-prompt-name-error-32602': async (scene) => {
    scene.needs('completions');
    const { error, result } = await scene.talk.ask('completion/complete', noPrompt);
    holds(
      error?.code === -32602,
      `completion for an unknown prompt was answered with ${describe({ error, result })}`,
    );
  },
  'completion/request-returns-values': async (scene) => {
    const values = await completed(scene);
    holds(
      values.every((value) => typeof value === 'string'),
      'a completion has values that are not strings',
    );
  },
  'completion/at-most-100-values': async (scene) => {
    const { length } = await completed(scene);
    holds(length <= 100, `a completion has ${length} values`);
  },
  'logging/set-level-returns-empty-result': async (scene) => {
    scene.needs('logging');
    const { error, result } = await scene.talk.ask('logging/setLevel', { level: 'error' });
    holds(result !== undefined, `logging/setLevel was answered with ${describe({ error, result })}`);
    holds(
      Object.keys(result).every((key) => key === '_meta'),
      'the result of logging/setLevel is not empty',
    );
  },
  'logging/invalid-level-error-32602': async (scene) => {
    scene.needs('logging');
    const { error, result } = await scene.talk.ask('logging/setLevel', { level: 'shouting' });
    holds(error?.code === -32602, `an unknown level was answered with ${describe({ error, result })}`);
  },
};

/** Returns the completions of the first argument of the first prompt with arguments. */
async function completed(scene: Scene): Promise<unknown[]> {
  scene.needs('completions');
  const prompts = await scene.items('prompts/list');
  const taking = prompts.flatMap(({ name, arguments: taken }) =>
    Array.isArray(taken) && isObject(taken[0]) ? [{ name, argument: taken[0].name }] : [],
  );
  const [first] = taking;
  given(first !== undefined, 'no prompt has arguments');
  const { error, result } = await scene.talk.ask('completion/complete', {
    ref: { type: 'ref/prompt', name: first.name },
    argument: { name: first.argument, value: '' },
  });
  const values = isObject(result?.completion) ? result.completion.values : undefined;
  holds(
    Array.isArray(values),
    `completion for ${String(first.name)} was answered with ${describe({ error, result })}`,
  );
  return values;
}
