/** The part of a page that a caller wants: its main content, the whole page, or its source. */
export type Wanted = 'article' | 'page' | 'source';

/** The kind of content. */
export type Kind =
  | 'html'
  | 'json'
  | 'xml'
  | 'feed'
  | 'csv'
  | 'markdown'
  | 'text'
  | 'pdf'
  | 'image'
  | 'binary';

export interface ReadRequest {
  readonly bytes: Uint8Array;
  /** the Content-Type field as received */
  readonly contentType: string | undefined;
  /** the base of relative links */
  readonly url: string;
  readonly want: Wanted;
  /** a CSS selector: only the elements that match are read */
  readonly selector?: string | undefined;
}

export interface Charset {
  /** WHATWG name in lower case */
  readonly name: string;
  readonly from: 'bom' | 'header' | 'meta' | 'utf-8' | 'guess';
  /** characters that could not be decoded */
  readonly replaced: number;
  /** the first declared encoding, if another one was used */
  readonly declaredAs?: string | undefined;
}

export interface Heading {
  readonly level: number;
  readonly text: string;
  /** start of its line in the text, in UTF-16 code units */
  readonly at: number;
}

export interface Link {
  readonly url: string;
  readonly text: string;
  /** whether it is in the main content, around it, or in the head */
  readonly place: 'content' | 'navigation' | 'head';
  readonly rel?: string | undefined;
  /** number of links to this URL, 1 unless given */
  readonly times?: number | undefined;
}

/** Counts of what was removed because readers would not see it or it is harmful. */
export interface Removed {
  /** hidden elements */
  readonly hidden: number;
  /** invisible characters: zero-width characters, bidirectional controls, tags */
  readonly invisible: number;
  /** `javascript:`, `data:` and other harmful links */
  readonly links: number;
}

/** How the main content was found, and how much of the page it is. */
export interface Extraction {
  readonly method: string;
  /** share of the visible text that was kept, 0 to 1 */
  readonly coverage: number;
  /** notes for the reader, for instance that scripts fill the page */
  readonly notes: readonly string[];
}

/** The metadata of a page. */
export interface Metadata {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly author?: string | undefined;
  readonly site?: string | undefined;
  readonly published?: string | undefined;
  readonly modified?: string | undefined;
  readonly language?: string | undefined;
  readonly canonical?: string | undefined;
  readonly image?: string | undefined;
  readonly type?: string | undefined;
  readonly feeds?: readonly { readonly url: string; readonly title?: string | undefined }[] | undefined;
  readonly alternates?: readonly { readonly url: string; readonly language: string }[] | undefined;
  /** JSON-LD objects, within bounds */
  readonly structured?: readonly unknown[] | undefined;
}

/** A page as text: Markdown if it has structure, else its source. */
export interface Reading {
  readonly kind: Kind;
  /** media type by the bytes, not by the header */
  readonly mediaType: string;
  /** empty for images and binary content */
  readonly text: string;
  readonly charset?: Charset | undefined;
  readonly headings: readonly Heading[];
  readonly links: readonly Link[];
  readonly metadata: Metadata;
  readonly removed: Removed;
  readonly extraction?: Extraction | undefined;
  /** whether the time limit ended the search for the main content, so that another try may find it */
  readonly isHurried?: boolean | undefined;
  /** position of each PDF page in the text */
  readonly pages?: readonly number[] | undefined;
  /** the shape of JSON, a line each: path, type, count */
  readonly shape?: string | undefined;
  /** width and height of an image in pixels */
  readonly size?: { readonly width: number; readonly height: number } | undefined;
}

export const nothingRemoved: Removed = { hidden: 0, invisible: 0, links: 0 };
