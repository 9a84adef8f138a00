import { type AnyTool, type Server, tool } from '@rootbound/protocol';
import { noArguments } from './content.ts';

/** The tool that comes and goes. */
export const passingTool = 'test_passing';

/** Tools that change the lists of the server they belong to. */
export class ChangingLists {
  #passing = false;
  readonly tools: readonly AnyTool[];

  constructor(server: () => Server) {
    this.tools = [
      tool({
        name: passingTool,
        description: 'Is there every other time the list of tools was changed.',
        input: noArguments,
        run: () => 'Still here.',
      }),
      tool({
        name: 'test_trigger_tool_change',
        description: 'Changes the list of tools.',
        input: noArguments,
        run: () => {
          this.#passing = !this.#passing;
          server().listChanged('tools');
          return 'The list of tools has changed.';
        },
      }),
      tool({
        name: 'test_trigger_prompt_change',
        description: 'Tells clients that the list of prompts has changed.',
        input: noArguments,
        run: () => {
          server().listChanged('prompts');
          return 'The list of prompts has changed.';
        },
      }),
    ];
  }

  offers(name: string): boolean {
    return name !== passingTool || this.#passing;
  }
}
