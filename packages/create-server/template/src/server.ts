import { createRequire } from 'node:module';
import type { DenyExtras } from '@rootbound/kit/cli';
import { type DefinedServer, type DefineOptions, defineServer } from '@rootbound/kit/serve';
import { Notes } from './notes.ts';
import { summarize } from './prompts.ts';
import { nameOf, noteTemplate, uriOf } from './resources.ts';
import { findNotes } from './tools/find-notes.ts';
import { writeNotes } from './tools/write-notes.ts';

interface Manifest {
  name: string;
  version: string;
  description: string;
}

export const manifest = createRequire(import.meta.url)('../package.json') as Manifest;

/** Every tool of the server: add yours here. */
export const tools = [findNotes, writeNotes];

/** Creates the server for the options of a command line. */
export function createNotesServer(options: DefineOptions<DenyExtras>): DefinedServer<Notes> {
  return defineServer<Notes>(options, ({ lazily, resourcesChanged, onError }) => {
    // the watcher is loaded when a client first lists or subscribes: a start does not wait for it
    const watching = lazily(
      async () => new (await import('./watching.ts')).Watching(resourcesChanged, onError),
    );
    return {
      name: manifest.name,
      version: manifest.version,
      description: manifest.description,
      instructions: 'Notes are texts by name: find_notes finds them, write_notes writes them.',
      tools,
      prompts: [summarize],
      resources: [noteTemplate],
      listResources: async ({ scope: notes }) => {
        await (await watching.load()).watchFolder(notes);
        return notes.names().map((name) => ({ uri: uriOf(name), name, mimeType: 'text/markdown' }));
      },
      watch: async (uri, { scope: notes }, changed) =>
        (await watching.load()).watchNote(notes, nameOf(uri), changed),
      watching,
      // handlers get this as `scope`: the notes that the client of the call may use
      workspace: ({ scope }) => new Notes(scope),
    };
  });
}
