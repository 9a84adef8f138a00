import { type AnyTool, ToolError, tool } from '@rootbound/protocol';
import * as z from 'zod';
import { pixel, silence } from './media.ts';

export const noArguments = z.object({});

/** Tools that return at once, one for each type of content. */
export const contentTools: readonly AnyTool[] = [
  tool({
    name: 'test_simple_text',
    description: 'Returns one text.',
    input: noArguments,
    run: () => 'This is a simple text response for testing.',
  }),
  tool({
    name: 'test_image_content',
    description: 'Returns one image.',
    input: noArguments,
    run: () => [{ type: 'image', data: pixel, mimeType: 'image/png' }],
  }),
  tool({
    name: 'test_audio_content',
    description: 'Returns one recording.',
    input: noArguments,
    run: () => [{ type: 'audio', data: silence, mimeType: 'audio/wav' }],
  }),
  tool({
    name: 'test_embedded_resource',
    description: 'Returns one resource with its text.',
    input: noArguments,
    run: () => [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  }),
  tool({
    name: 'test_multiple_content_types',
    description: 'Returns a text, an image and a resource.',
    input: noArguments,
    run: () => [
      { type: 'text', text: 'Multiple content types test:' },
      { type: 'image', data: pixel, mimeType: 'image/png' },
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ],
  }),
  tool({
    name: 'test_error_handling',
    description: 'Fails.',
    input: noArguments,
    run: () => {
      throw new ToolError('This tool intentionally returns an error for testing');
    },
  }),
];
