import * as z from 'zod';
import { tool } from '../../../src/index.ts';

const registry = globalThis as { loadedToolModules?: string[] };
registry.loadedToolModules ??= [];
registry.loadedToolModules.push('more');

export const wordy = tool({
  name: 'wordy',
  description: 'Counts words:\n</script> `a` \\template \u2028.',
  input: z.object({ words: z.array(z.string()).describe('any words') }),
  run: ({ words }) => `${words.length}`,
});

export const former = tool({ ...wordy, name: 'former', description: 'Kept for old callers.', listed: false });

export const notATool = { name: 'plain' };

export default tool({ name: 'more-default', description: 'd', input: z.object({}), run: () => 'default' });
