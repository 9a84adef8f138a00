export interface Screen {
  end(): void;
  title(name: string, words: string): void;
  section(name: string, words: string): void;
  row(label: string, text: string): void;
  quote(text: string, colour?: 'dim' | 'yellow'): void;
  bar(part: number): void;
  paste(name: string, place: string, text: string): void;
}
export function createScreen(stream: NodeJS.WriteStream): Screen;
