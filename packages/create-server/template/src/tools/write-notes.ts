import { yieldToEventLoop } from '@rootbound/kit/primitives';
import { confirm, toolFor } from '@rootbound/protocol';
import * as z from 'zod';
import type { Notes } from '../notes.ts';

const note = z.object({ name: z.string().regex(/^[\w-]+$/), text: z.string() });

/** Writes notes; the user is asked before existing ones are replaced. */
export const writeNotes = toolFor<Notes>()({
  name: 'write_notes',
  title: 'Write notes',
  description: 'Writes notes by name. Asks the user before it replaces existing ones.',
  input: z.object({ notes: z.array(note).min(1) }),
  output: z.object({ written: z.array(z.string()), kept: z.array(z.string()) }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  // runs before `run`, and again when a client repeats the call with its answers: it must not change anything
  ask: async ({ notes: given }, ask, { scope: notes }) => {
    const names = new Set(notes.names());
    const existing = given.map(({ name }) => name).filter((name) => names.has(name));
    if (existing.length === 0) return [];
    const { replace } = await ask({ replace: confirm(`Replace ${existing.join(', ')}?`, 'Replace') });
    return replace ? existing : [];
  },
  run: async ({ notes: given }, { scope: notes, answers: replaceable, progress, signal }) => {
    const written: string[] = [];
    const kept: string[] = [];
    for (const [index, { name, text }] of given.entries()) {
      // lets a cancellation arrive, and then throws; notes that are written already stay
      await yieldToEventLoop(signal);
      // exclusive: a note that another program has created since the question is not replaced
      const done = await notes.write(name, text, { exclusive: !replaceable.includes(name), signal });
      (done ? written : kept).push(name);
      progress(index + 1, given.length, name);
    }
    return { written, kept };
  },
  render: ({ written, kept }) =>
    [
      written.length > 0 ? `wrote ${written.join(', ')}` : '',
      kept.length > 0 ? `kept ${kept.join(', ')} as before` : '',
    ]
      .filter((part) => part !== '')
      .join('; '),
});
