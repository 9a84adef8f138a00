import { showName } from '@rootbound/kit/boundary';
import { clipText } from '@rootbound/kit/budget';

/** Most bytes of one message in a list. */
const MOST_BYTES = 2_000;

/** Returns the start of a message for a list. */
export function messageOf(text: string): { message: string; message_truncated?: true } {
  const { kept, truncated } = clipText(text, MOST_BYTES, { measure: 'json' });
  return { message: kept, ...(truncated && { message_truncated: true }) };
}

/** Returns the same in one line, for the text. */
export function messageLine({
  message = '',
  message_truncated: cut = false,
}: {
  message?: string | undefined;
  message_truncated?: boolean | undefined;
}): string {
  return `${showName(message)}${cut ? '…' : ''}`;
}
