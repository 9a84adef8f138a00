/** What a caller wants of a page: its main content, all of it, or its source as it is. */
export type Wanted = 'article' | 'page' | 'source';

/** What the bytes are. */
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
  /** the Content-Type field as it came */
  readonly contentType: string | undefined;
  /** what relative links are resolved against */
  readonly url: string;
  readonly want: Wanted;
  /** a CSS selector: only what it matches is read */
  readonly selector?: string | undefined;
}

export interface Charset {
  /** WHATWG name, lower case */
  readonly name: string;
  readonly from: 'bom' | 'header' | 'meta' | 'utf-8' | 'guess';
  /** characters that could not be decoded */
  readonly replaced: number;
  /** what the header or the page named first, where the bytes are something else */
  readonly declaredAs?: string | undefined;
}

export interface Heading {
  readonly level: number;
  readonly text: string;
  /** where its line begins in the text, UTF-16 code units */
  readonly at: number;
}

export interface Link {
  readonly url: string;
  readonly text: string;
  /** whether it stands in the main content, in what surrounds that, or in the head */
  readonly place: 'content' | 'navigation' | 'head';
  readonly rel?: string | undefined;
  /** how often it stands there, 1 unless given */
  readonly times?: number | undefined;
}

/** What was taken out because a reader would not have seen it, or because it does harm. */
export interface Removed {
  /** elements that are not shown */
  readonly hidden: number;
  /** characters without a shape: zero-width, bidirectional controls, tags */
  readonly invisible: number;
  /** `javascript:`, `data:` and other links that lead to no page */
  readonly links: number;
}

/** How the main content was found, and how much of the page it is. */
export interface Extraction {
  readonly method: string;
  /** share of the visible text that was kept, 0 to 1 */
  readonly coverage: number;
  /** what a reader should know: a page that a script fills, a fallback */
  readonly notes: readonly string[];
}

/** What a page says of itself. */
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
  /** JSON-LD objects as they stand, within bounds */
  readonly structured?: readonly unknown[] | undefined;
}

/** A page as text: Markdown for what has structure, the source otherwise. */
export interface Reading {
  readonly kind: Kind;
  /** the media type that the bytes have, not what was said */
  readonly mediaType: string;
  /** empty for images and what is no text */
  readonly text: string;
  readonly charset?: Charset | undefined;
  readonly headings: readonly Heading[];
  readonly links: readonly Link[];
  readonly metadata: Metadata;
  readonly removed: Removed;
  readonly extraction?: Extraction | undefined;
  /** whether time ran out before the main content was found, so that another try may find it */
  readonly isHurried?: boolean | undefined;
  /** where each page of a PDF begins in the text */
  readonly pages?: readonly number[] | undefined;
  /** the shape of JSON, a line each: path, type, count */
  readonly shape?: string | undefined;
  /** width and height of an image in pixels */
  readonly size?: { readonly width: number; readonly height: number } | undefined;
}

export const nothingRemoved: Removed = { hidden: 0, invisible: 0, links: 0 };
