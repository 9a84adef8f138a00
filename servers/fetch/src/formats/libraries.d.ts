// the used parts of libraries without types

declare module 'papaparse' {
  interface Step {
    readonly data: string[];
    readonly meta: { readonly delimiter: string };
  }

  interface Options {
    /** detected if empty */
    readonly delimiter: string;
    readonly skipEmptyLines: 'greedy';
    readonly step: (row: Step, parser: { abort(): void }) => void;
  }

  const papa: { parse(source: string, options: Options): void };
  export default papa;
}

declare module 'pdfjs-dist/legacy/build/pdf.worker.mjs' {
  export const WorkerMessageHandler: unknown;
}
