import type { Flow } from '../flow.ts';
import { markOf } from '../mark.ts';
import { raise } from '../scripts.ts';

const nothing = (): void => {};

/** Puts markers around the text up to the end that is returned. */
export function emphasise(flow: Flow, marker: string): () => void {
  flow.regain();
  // headings are bold already
  if (flow.isInHeading && marker === '**') return nothing;
  const mark = markOf(marker);
  flow.begin(mark);
  return () => {
    flow.regain();
    flow.end(mark);
  };
}

/** Emphasises a whole paragraph. */
export function emphasiseBlock(flow: Flow): () => void {
  flow.flush();
  const end = emphasise(flow, '**');
  return () => {
    end();
    flow.flush();
  };
}

/** Writes the text up to the returned end as superscript or subscript. */
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

/** Writes a character before and after the text. */
export function enclose(flow: Flow, before: string, behind: string): () => void {
  flow.write(before);
  return () => flow.write(behind);
}
