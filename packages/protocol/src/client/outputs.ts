import { SchemaError } from '../protocol/json-schema/failure.ts';
import type * as t from '../protocol/types.ts';
import { AnswerError } from './errors.ts';

/** The output schemas of the tools that were last listed; structured results are validated against them. */
export class ToolOutputs {
  #schemas = new Map<string, t.JSONSchema>();

  remember(tools: readonly t.Tool[]): void {
    this.#schemas = new Map(
      tools.flatMap(({ name, outputSchema }) =>
        outputSchema === undefined ? [] : [[name, outputSchema] as const],
      ),
    );
  }

  /** Throws if a successful result lacks the structured content that its tool declared, or does not match it. */
  async check(name: string, { isError, structuredContent }: t.CallToolResult): Promise<void> {
    const schema = this.#schemas.get(name);
    if (schema === undefined || isError === true) return;
    if (structuredContent === undefined) {
      throw new AnswerError(`tool ${name} has an output schema but returned no structured content`);
    }
    const { mismatch } = await import('./json-schema.ts');
    const problem = await mismatch(schema, structuredContent).catch(unusable(name));
    if (problem !== undefined)
      throw new AnswerError(`the output of tool ${name} does not match its schema: ${problem}`);
  }
}

/** Throws an AnswerError for an unusable schema: the output must not be trusted unchecked. */
function unusable(name: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof SchemaError)) throw error;
    throw new AnswerError(`the output of tool ${name} cannot be checked: ${error.message}`, { cause: error });
  };
}
