import { defined } from '@rootbound/kit/primitives';
import { type CallContext, type ContentBlock, reply, ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { databaseArgument, paramsArgument, timeoutArgument } from '../arguments.ts';
import { chooseColumns } from '../charting/columns.ts';
import { type Drawn, draw } from '../charting/draw.ts';
import { chartKinds, type Drawing } from '../charting/drawing.ts';
import { type Plot, plotOf } from '../charting/plot.ts';
import { rowsToDraw } from '../charting/rows.ts';
import { describePlot } from '../charting/summary.ts';
import { labelOf } from '../charting/values.ts';
import { sourceFacts, sourceLine } from '../listing/output.ts';
import { databaseOf, tool, type Workspace } from '../workspace.ts';

const WIDTH = 800;
const HEIGHT = 480;

const side = z.int().min(200).max(2000).optional();
const column = z.string().min(1);
const input = z.strictObject({
  query: z.string(),
  params: paramsArgument,
  database: databaseArgument,
  kind: z.enum(chartKinds),
  x: column.optional().describe('column of the x axis; default the first'),
  y: z
    .union([column, z.array(column).min(1)])
    .optional()
    .describe('columns of the y axis; default all other numeric ones'),
  title: z.string().optional(),
  format: z.enum(['png', 'svg', 'both']).default('png'),
  width: side,
  height: side,
  timeout_ms: timeoutArgument,
});
type Args = z.output<typeof input>;

const output = z.object({
  kind: z.enum(chartKinds),
  x: z.object({
    name: z.string(),
    scale: z.enum(['category', 'time', 'value']),
    from: z.string(),
    to: z.string(),
  }),
  y: z.array(z.string()),
  points: z.int(),
  series: z.array(
    z.object({ name: z.string(), n: z.int(), min: z.number(), max: z.number(), first: z.array(z.number()) }),
  ),
  bins: z.array(z.object({ from: z.number(), to: z.number(), n: z.int() })).optional(),
  nulls: z.int().describe('NULLs left out'),
  not_numbers: z.int().describe('other values left out'),
  truncated: z.boolean().describe('the query returns more rows than were drawn'),
  source: sourceFacts,
  svg: z.string().optional(),
});

export const drawChart = tool({
  name: 'draw_chart',
  title: 'Draw a chart',
  description: 'Draws the rows of a query as a chart; the text gives its numbers.',
  input,
  output,
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run(args, { scope, signal }: CallContext<Workspace>) {
    const { kind, format, timeout_ms: deadlineMs = scope.engine.deadlineMs } = args;
    const end = performance.now() + deadlineMs;
    const target = databaseOf(scope, args.database);
    const table = await rowsToDraw(scope, target, kind, args, { signal, deadlineMs });
    const y = typeof args.y === 'string' ? [args.y] : args.y;
    const plot = plotOf(table, kind, chooseColumns(table, kind, { x: args.x, y }));
    const drawn = await draw(drawingOf(args, plot), {
      file: scope.engine.chartFile,
      deadlineMs: Math.max(1, Math.ceil(end - performance.now())),
      signal,
    });
    assertFits(args, drawn, scope.maxOutput);
    const svg = format === 'png' ? undefined : drawn.svg;
    const more = table.truncated
      ? [`only the first ${table.rows.length} rows: group or filter in the query`]
      : [];
    const source = { database: target.displayPath, tables: [...table.tables] };
    const text = `${[describePlot(kind, plot), ...more].join('; ')}\n${sourceLine(target.displayPath)}`;
    return reply({
      structured: {
        ...factsOf(args, plot),
        truncated: table.truncated,
        source,
        ...defined({ svg }),
      },
      content: [{ type: 'text', text }, ...picturesOf(args, drawn)],
    });
  },
});

function drawingOf({ kind, title, format, width = WIDTH, height = HEIGHT }: Args, plot: Plot): Drawing {
  const [first, ...others] = plot.drawn;
  return {
    kind,
    width,
    height,
    ...(title !== undefined && { title: labelOf(title) }),
    x: plot.x,
    // with several series the legend has the names
    y: { name: others.length === 0 ? first!.name : '' },
    series: plot.drawn,
    png: format !== 'svg',
  };
}

function factsOf({ kind }: Args, { x, range, series, points, bins, nulls, notNumbers }: Plot) {
  return {
    kind,
    x: {
      name: x.name,
      scale: bins === undefined ? x.scale : ('value' as const),
      from: range[0],
      to: range[1],
    },
    y: bins === undefined ? series.map(({ name }) => name) : ['count'],
    points,
    series: series.map((one) => ({ ...one, first: [...one.first] })),
    ...(bins !== undefined && { bins: [...bins] }),
    nulls,
    not_numbers: notNumbers,
  };
}

function picturesOf({ format }: Args, { svg, png }: Drawn): ContentBlock[] {
  return [
    ...(format === 'svg'
      ? []
      : [{ type: 'image' as const, data: png.toString('base64'), mimeType: 'image/png' }]),
    ...(format === 'png'
      ? []
      : [
          {
            type: 'resource' as const,
            resource: { uri: 'sqlite:chart.svg', mimeType: 'image/svg+xml', text: svg },
          },
        ]),
  ];
}

/** Share of the result limit for facts and text beside a picture. */
const BESIDE = 0.1;

function assertFits({ format }: Args, { svg, png }: Drawn, maxOutput: number): void {
  const bytes =
    (format === 'png' ? 0 : Buffer.byteLength(svg)) + (format === 'svg' ? 0 : Math.ceil(png.length / 3) * 4);
  if (bytes <= maxOutput * (1 - BESIDE)) return;
  throw new ToolError(
    `the ${format === 'both' ? 'pictures are' : `${format} is`} larger than the result limit (${bytes} bytes)`,
    {
      code: 'too-large',
      hint: format === 'png' ? 'reduce width and height' : 'set format to png, or draw fewer points',
    },
  );
}
