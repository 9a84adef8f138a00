import { isObject } from '../../jsonrpc/message.ts';
import { given, holds } from './finding.ts';
import { describe } from './listing.ts';
import type { Rules } from './rules.ts';
import type { Answer } from './wire.ts';

export const promptRules: Rules = {
  'prompts/get-returns-messages': async (scene) => {
    const plain = (await scene.items('prompts/list')).filter((prompt) => requiredOf(prompt).length === 0);
    given(plain.length > 0, 'every prompt requires arguments');
    const got: Answer[] = [];
    for (const { name } of plain.slice(0, 3)) got.push(await scene.talk.ask('prompts/get', { name }));
    const good = got.flatMap(({ result }) => (result === undefined ? [] : [result]));
    given(good.length > 0, 'no prompt without arguments succeeded');
    const wrong = good.find(
      ({ messages, resultType }) => !Array.isArray(messages) && resultType !== 'input_required',
    );
    holds(wrong === undefined, 'the result of prompts/get has no array messages');
  },
  'prompts/invalid-name-error-32602': async (scene) => {
    scene.needs('prompts');
    const { error, result } = await scene.talk.ask('prompts/get', { name: 'inspect-no-such-prompt' });
    holds(error?.code === -32602, `an unknown prompt was answered with ${describe({ error, result })}`);
  },
  'prompts/missing-arguments-error-32602': async (scene) => {
    const prompt = (await scene.items('prompts/list')).find((one) => requiredOf(one).length > 0);
    given(prompt !== undefined, 'no prompt requires arguments');
    const { error, result } = await scene.talk.ask('prompts/get', { name: prompt.name, arguments: {} });
    const left = requiredOf(prompt).join(', ');
    holds(
      error?.code === -32602,
      `${String(prompt.name)} without ${left} was answered with ${describe({ error, result })}`,
    );
  },
};

function requiredOf({ arguments: taken }: Record<string, unknown>): string[] {
  const all = Array.isArray(taken) ? taken.filter(isObject) : [];
  return all.flatMap(({ name, required }) => (required === true ? [String(name)] : []));
}
