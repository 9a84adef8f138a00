import type * as t from '../protocol/types.ts';
import { visible, visibleLines } from '../protocol/visible.ts';

/** Returns content blocks as text; binary content is described by type and size. */
export function renderContent(content: readonly t.ContentBlock[]): string {
  return content.map((block) => endLine(renderBlock(block))).join('');
}

function renderBlock(block: t.ContentBlock): string {
  switch (block.type) {
    case 'text':
      return visibleLines(block.text);
    case 'image':
    case 'audio':
      return `[${block.type} ${visible(block.mimeType)}, ${bytesIn(block.data)} bytes]`;
    case 'resource_link':
      return `[link ${visible(block.uri)} ${visible(block.name)}]`;
    case 'resource':
      return renderContents(block.resource);
    default:
      return visible(JSON.stringify(block));
  }
}

/** Returns the contents of a resource as text. */
export function renderContents(contents: t.ReadResourceResult['contents'][number]): string {
  if ('text' in contents) return visibleLines(contents.text);
  return `[${visible(contents.uri)} ${visible(contents.mimeType ?? 'binary')}, ${bytesIn(contents.blob)} bytes]`;
}

function bytesIn(base64: string): number {
  return Buffer.from(base64, 'base64').length;
}

export function endLine(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
