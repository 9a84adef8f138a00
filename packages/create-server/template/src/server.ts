import { createRequire } from 'node:module';
import { createServer, type Server } from '@rootbound/protocol';
import { Notes } from './notes.ts';
import { summarize } from './prompts/summarize.ts';
import { noteTemplate, uriOf } from './resources/note.ts';
import { writeNotes } from './tools/write-notes.ts';

interface Manifest {
  name: string;
  version: string;
  description: string;
}

/** A server with notes of its own; transports serve it. */
export function createNotesServer(): Server<Notes> {
  const notes = new Notes();
  const { name, version, description } = createRequire(import.meta.url)('../package.json') as Manifest;
  const server = createServer<Notes>({
    name,
    version,
    description,
    instructions: 'write_notes keeps texts by name; read them back as note:///<name>.',
    tools: [writeNotes],
    resources: [noteTemplate],
    listResources: () =>
      notes.names().map((note) => ({ uri: uriOf(note), name: note, mimeType: 'text/plain' })),
    prompts: [summarize],
    watch: async (uri, _context, changed) =>
      notes.onWritten((note) => {
        if (uriOf(note) === uri) changed();
      }),
    listChanges: { resources: true },
    scope: () => notes,
  });
  notes.onWritten(() => server.listChanged('resources'));
  return server;
}
