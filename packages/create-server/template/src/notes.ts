import { EventEmitter } from 'node:events';

/** The notes of one server, by name; listeners hear the name of each that was written. */
export class Notes {
  readonly #texts = new Map([['welcome', 'Notes are kept for as long as the server runs.']]);
  readonly #written = new EventEmitter<{ note: [name: string] }>().setMaxListeners(0);

  names(): string[] {
    return [...this.#texts.keys()].sort();
  }

  read(name: string): string | undefined {
    return this.#texts.get(name);
  }

  write(name: string, text: string): void {
    this.#texts.set(name, text);
    this.#written.emit('note', name);
  }

  /** Returns what ends the listening. */
  onWritten(listener: (name: string) => void): () => void {
    this.#written.on('note', listener);
    return () => this.#written.off('note', listener);
  }
}
