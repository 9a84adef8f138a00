import { toolFor } from '@rootbound/protocol';
import * as z from 'zod';
import type { Notes } from '../notes.ts';
import { uriOf } from '../resources.ts';

/** Finds the notes that contain a text. */
export const findNotes = toolFor<Notes>()({
  name: 'find_notes',
  title: 'Find notes',
  description: 'Finds the notes that contain a text, in any case. Without a text it lists all.',
  input: z.object({ text: z.string().default('') }),
  // clients get the result as JSON of this shape, and as text from `render`
  output: z.object({ notes: z.array(z.object({ name: z.string(), uri: z.string() })) }),
  // --read-only offers the tools with this hint, and no others
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: ({ text }, { scope: notes }) => {
    const found = notes
      .names()
      .filter((name) => text === '' || notes.read(name).toLowerCase().includes(text.toLowerCase()));
    return { notes: found.map((name) => ({ name, uri: uriOf(name) })) };
  },
  render: ({ notes }) => notes.map(({ name }) => name).join('\n') || 'no note contains that text',
});
