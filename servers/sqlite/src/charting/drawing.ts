/** The kinds of charts. */
export const chartKinds = ['bar', 'line', 'scatter', 'histogram'] as const;
export type ChartKind = (typeof chartKinds)[number];

/** Spacing of values along an axis: evenly in row order, by time, or by number. */
export type Scale = 'category' | 'time' | 'value';

export interface DrawnSeries {
  readonly name: string;
  /** x and y; x is the index of the category, milliseconds since 1970, or a number, depending on the scale */
  readonly points: readonly (readonly [number, number])[];
}

/** A complete description of a chart, the input of the drawing process. */
export interface Drawing {
  readonly kind: ChartKind;
  readonly title?: string;
  readonly width: number;
  readonly height: number;
  readonly x: { readonly name: string; readonly scale: Scale; readonly categories?: readonly string[] };
  readonly y: { readonly name: string };
  readonly series: readonly DrawnSeries[];
  /** whether a PNG is wanted as well */
  readonly png: boolean;
}
