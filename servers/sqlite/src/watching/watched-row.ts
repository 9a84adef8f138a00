import { ToolError } from '@rootbound/protocol';
import { resolveDatabase } from '../databases/resolve.ts';
import type { Target } from '../resources/uri.ts';
import type { Workspace } from '../workspace.ts';

/** Bytes of a cell that are compared. */
export const CELL_BYTES = 65_536;

/** A row that is read again whenever its table was written; changes of its content are reported. */
export class WatchedRow {
  readonly #workspace: Workspace;
  readonly #path: string;
  readonly #target: Extract<Target, { kind: 'row' }>;
  readonly #options: { changed: () => void; onError: (error: unknown) => void };
  #content: string | undefined;
  #turn: Promise<void> = Promise.resolve();

  constructor(
    workspace: Workspace,
    path: string,
    target: Extract<Target, { kind: 'row' }>,
    options: { changed: () => void; onError: (error: unknown) => void },
  ) {
    this.#workspace = workspace;
    this.#path = path;
    this.#target = target;
    this.#options = options;
  }

  /** Reads the row and reports whether it has changed since the last read. */
  begin(): Promise<void> {
    const { changed } = this.#options;
    const beginning = this.#turn.then(async () => {
      const known = this.#content;
      this.#content = await this.#read();
      if (known !== undefined && known !== this.#content) changed();
    });
    this.#turn = beginning.catch(() => {});
    return beginning;
  }

  readonly look = (): void => {
    this.begin().catch(this.#options.onError);
  };

  async #read(): Promise<string> {
    const { scope, engine } = this.#workspace;
    const { table, key } = this.#target;
    try {
      const args = { table, key, cellBytes: CELL_BYTES };
      const target = resolveDatabase(scope, this.#path);
      const { facts, parts } = await engine.lanes.run(target, 'read', 'row', args);
      return JSON.stringify(facts.columns) + parts.join('');
    } catch (error) {
      // a missing row is a state as well
      if (error instanceof ToolError) return error.code;
      throw error;
    }
  }
}
