/** What a query can be drawn as. */
export const chartKinds = ['bar', 'line', 'scatter', 'histogram'] as const;
export type ChartKind = (typeof chartKinds)[number];

/** How the values along an axis are spaced: as they come, by moment, or by number. */
export type Scale = 'category' | 'time' | 'value';

export interface DrawnSeries {
  readonly name: string;
  /** x and y; x is the place among the categories, milliseconds since 1970, or a number, as the scale says */
  readonly points: readonly (readonly [number, number])[];
}

/** A chart with everything decided, as the process that draws takes it. */
export interface Drawing {
  readonly kind: ChartKind;
  readonly title?: string;
  readonly width: number;
  readonly height: number;
  readonly x: { readonly name: string; readonly scale: Scale; readonly categories?: readonly string[] };
  readonly y: { readonly name: string };
  readonly series: readonly DrawnSeries[];
  /** also as PNG */
  readonly png: boolean;
}
