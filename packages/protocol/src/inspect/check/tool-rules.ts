import { isDeepStrictEqual } from 'node:util';
import { mismatch } from '../../client/json-schema.ts';
import { isObject, type Params } from '../../jsonrpc/message.ts';
import type * as t from '../../protocol/types.ts';
import { given, holds } from './finding.ts';
import { describe } from './listing.ts';
import type { Rules } from './rules.ts';
import type { Scene } from './scene.ts';

/** Returns the results of successful calls without input requests. */
async function successes(scene: Scene): Promise<{ tool: Params; result: Params }[]> {
  const called = await scene.calls();
  const good = called.flatMap(({ tool, answer: { result } }) =>
    result !== undefined && result.isError !== true && result.resultType !== 'input_required'
      ? [{ tool, result }]
      : [],
  );
  given(good.length > 0, 'no call has succeeded');
  return good;
}

/** Returns the successful calls of tools with an output schema. */
async function structured(scene: Scene): Promise<{ tool: Params; schema: t.JSONSchema; result: Params }[]> {
  const promised = (await successes(scene)).flatMap(({ tool, result }) =>
    // a value that is not a schema is reported when it is compiled
    isObject(tool.outputSchema) ? [{ tool, result, schema: tool.outputSchema as t.JSONSchema }] : [],
  );
  given(promised.length > 0, 'no tool that was called has an output schema');
  return promised;
}

async function eachTool(scene: Scene, check: (tool: Params, name: string) => unknown): Promise<void> {
  const tools = await scene.items('tools/list');
  given(tools.length > 0, 'the server lists no tools');
  for (const tool of tools) await check(tool, String(tool.name));
}

/** Returns true if a text is the JSON of a value, in any member order. */
function isJsonOf(text: unknown, value: unknown): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(String(text)), value);
  } catch {
    // a text that is not JSON
    return false;
  }
}

export const toolRules: Rules = {
  'tools/tool-name-length-1-to-128': (scene) =>
    eachTool(scene, (_tool, name) =>
      holds(name.length >= 1 && name.length <= 128, `a name has ${name.length} characters`),
    ),
  'tools/tool-name-characters': (scene) =>
    eachTool(scene, (_tool, name) =>
      holds(/^[\w.-]*$/.test(name), `${JSON.stringify(name)} has other characters`),
    ),
  'tools/input-schema-is-object-schema': (scene) =>
    eachTool(scene, ({ inputSchema }, name) =>
      holds(
        isObject(inputSchema) && inputSchema.type === 'object',
        `the inputSchema of ${name} is not an object schema`,
      ),
    ),
  'tools/output-schema-is-optional-object-schema': (scene) =>
    eachTool(scene, ({ outputSchema }, name) =>
      holds(
        outputSchema === undefined || (isObject(outputSchema) && outputSchema.type === 'object'),
        `the outputSchema of ${name} is not an object schema`,
      ),
    ),
  'schema-json/published-schemas-valid-in-their-dialect': async (scene) => {
    const { compileSchema } = await import('../../protocol/json-schema/schema.ts');
    await eachTool(scene, ({ inputSchema, outputSchema }, name) => {
      for (const schema of [inputSchema, outputSchema ?? true]) {
        try {
          compileSchema(schema);
        } catch (error) {
          holds(false, `a schema of ${name} is invalid: ${(error as Error).message}`); // compiling throws errors
        }
      }
    });
  },
  'tools/unknown-tool-is-protocol-error-32602': async (scene) => {
    scene.needs('tools');
    const { error, result } = await scene.talk.ask('tools/call', {
      name: 'inspect-no-such-tool',
      arguments: {},
    });
    holds(
      error?.code === -32602,
      `the call of an unknown tool was answered with ${describe({ error, result })}`,
    );
  },
  'tools/malformed-tool-call-is-protocol-error': async (scene) => {
    scene.needs('tools');
    const { error } = await scene.talk.ask('tools/call', { arguments: 'none' });
    holds(error !== undefined, 'a call without a name did not fail');
  },
  'tools/call-returns-content': async (scene) => {
    for (const { tool, answer } of await scene.calls()) {
      const { result, error } = answer;
      if (result?.resultType === 'input_required') continue;
      const name = String(tool.name);
      holds(result !== undefined, `${name} was answered with ${describe({ error, result })}`);
      holds(Array.isArray(result.content), `the result of ${name} has no array content`);
    }
  },
  'tools/output-schema-tool-returns-structured-content': async (scene) => {
    for (const { tool, result } of await structured(scene))
      holds(
        result.structuredContent !== undefined,
        `the result of ${String(tool.name)} has no structuredContent`,
      );
  },
  'tools/structured-content-conforms-to-output-schema': async (scene) => {
    for (const { tool, schema, result } of await structured(scene)) {
      if (result.structuredContent === undefined) continue;
      const problem = await mismatch(schema, result.structuredContent);
      holds(problem === undefined, `the result of ${String(tool.name)}: ${problem}`);
    }
  },
  'tools/structured-content-repeated-as-text': async (scene) => {
    for (const { tool, result } of await structured(scene)) {
      const content = Array.isArray(result.content) ? result.content.filter(isObject) : [];
      const repeated = content.some(({ text }) => isJsonOf(text, result.structuredContent));
      holds(repeated, `no text of ${String(tool.name)} is the JSON of its structuredContent`);
    }
  },
};
