import { resource, template } from '@rootbound/protocol';
import { pixel } from './media.ts';

/** Resources with text and bytes, a template, and one to watch. */
export const resources = [
  resource({
    uri: 'test://static-text',
    name: 'static-text',
    description: 'A text that never changes.',
    mimeType: 'text/plain',
    read: () => 'This is the content of the static text resource.',
  }),
  resource({
    uri: 'test://static-binary',
    name: 'static-binary',
    description: 'A picture that never changes.',
    mimeType: 'image/png',
    read: () => Buffer.from(pixel, 'base64'),
  }),
  resource({
    uri: 'test://watched-resource',
    name: 'watched-resource',
    description: 'A text to subscribe to.',
    mimeType: 'text/plain',
    read: () => 'This is the content of the watched resource.',
  }),
  template({
    uriTemplate: 'test://template/{id}/data',
    name: 'template-data',
    description: 'One document for each id.',
    mimeType: 'application/json',
    complete: { id: (value) => ['123', '124', '200'].filter((id) => id.startsWith(value)) },
    read: (_uri, _context, { id }) => JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
  }),
];
