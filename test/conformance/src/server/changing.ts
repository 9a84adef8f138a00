import { type AnyTool, type Server, tool } from '@rootbound/protocol';
import { noArguments } from './content.ts';

/** The tool that appears and disappears. */
export const passingTool = 'test_passing';

/** Tools that change the lists of their server. */
export class ChangingLists {
  #passing = false;
  readonly tools: readonly AnyTool[];

  constructor(server: () => Server) {
    this.tools = [
      tool({
        name: passingTool,
        description: 'Is listed after every other change of the list of tools.',
        input: noArguments,
        run: () => 'Listed.',
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
        description: 'Notifies clients that the list of prompts has changed.',
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
