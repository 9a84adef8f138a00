import type { Flow } from '../flow.ts';
import { markOf } from '../mark.ts';
import { raise } from '../scripts.ts';

const nothing = (): void => {};

/** Puts markers around the text until the end that is given back. */
export function emphasise(flow: Flow, marker: string): () => void {
  flow.regain();
  // headings are bold as they are
  if (flow.isInHeading && marker === '**') return nothing;
  const mark = markOf(marker);
  flow.begin(mark);
  return () => {
    flow.regain();
    flow.end(mark);
  };
}

/** Emphasises a paragraph as a whole. */
export function emphasiseBlock(flow: Flow): () => void {
  flow.flush();
  const end = emphasise(flow, '**');
  return () => {
    end();
    flow.flush();
  };
}

/** Puts the text above or below the line until the end that is given back. */
export function shift(flow: Flow, name: 'sub' | 'sup'): () => void {
  const aside = flow.setAside(true);
  return () => {
    if (!flow.endAside(aside)) return;
    const text = aside.text.trim();
    const raised = raise(text, name);
    if (raised !== undefined) {
      flow.write(raised);
      return;
    }
    flow.atom(`<${name}>`, '');
    flow.write(text);
    flow.atom(`</${name}>`, '');
  };
}

/** Writes a character before and behind the text. */
export function enclose(flow: Flow, before: string, behind: string): () => void {
  flow.write(before);
  return () => flow.write(behind);
}
