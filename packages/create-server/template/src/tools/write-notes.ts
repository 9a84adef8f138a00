import { confirm, toolFor } from '@rootbound/protocol';
import * as z from 'zod';
import type { Notes } from '../notes.ts';

const note = z.object({ name: z.string().regex(/^[\w-]+$/), text: z.string() });

/** Asks before it replaces notes, and tells after each note how far it is. */
export const writeNotes = toolFor<Notes>()({
  name: 'write_notes',
  title: 'Write notes',
  description:
    'Writes notes, each with a name and a text. The user is asked before existing ones are replaced.',
  input: z.object({ notes: z.array(note).min(1) }),
  output: z.object({ written: z.array(z.string()), kept: z.array(z.string()) }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  ask: async ({ notes }, ask, { scope }) => {
    const existing = notes.filter(({ name }) => scope.read(name) !== undefined).map(({ name }) => name);
    if (existing.length === 0) return true;
    return (await ask({ replace: confirm(`Replace ${existing.join(', ')}?`, 'Replace') })).replace;
  },
  run: ({ notes }, { answers: replace, scope, progress, signal }) => {
    const written: string[] = [];
    const kept: string[] = [];
    for (const [index, { name, text }] of notes.entries()) {
      signal.throwIfAborted();
      if (replace || scope.read(name) === undefined) {
        scope.write(name, text);
        written.push(name);
      } else kept.push(name);
      progress(index + 1, notes.length, name);
    }
    return { written, kept };
  },
  render: ({ written, kept }) =>
    [
      written.length > 0 && `wrote ${written.join(', ')}`,
      kept.length > 0 && `kept ${kept.join(', ')} as before`,
    ]
      .filter((part) => part !== false)
      .join('; '),
});
