import { BarChart, LineChart, ScatterChart } from 'echarts/charts';
import { GridComponent, LegendComponent, TitleComponent } from 'echarts/components';
import { type EChartsCoreOption, init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import type { Drawing } from './drawing.ts';

use([BarChart, LineChart, ScatterChart, GridComponent, LegendComponent, TitleComponent, SVGRenderer]);

/** Lines with more points are drawn without a dot on each. */
const MOST_DOTS = 60;

/** Renders the chart as SVG, deterministically in a new process; the renderer escapes labels. */
export function svgOf(drawing: Drawing): string {
  const { width, height } = drawing;
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  try {
    chart.setOption(optionsOf(drawing));
    return chart.renderToSVGString();
  } finally {
    chart.dispose();
  }
}

function optionsOf({ kind, title, width, x, y, series }: Drawing): EChartsCoreOption {
  const legend = series.length > 1;
  const type = kind === 'histogram' ? 'bar' : kind;
  return {
    animation: false,
    // times are drawn in UTC, as stored
    useUTC: true,
    backgroundColor: '#ffffff',
    textStyle: { fontFamily: `${fontFamily}, sans-serif` },
    ...(title !== undefined && {
      title: {
        text: title,
        left: 'center',
        textStyle: { fontWeight: 'normal', overflow: 'truncate', width: width - 64 },
      },
    }),
    ...(legend && { legend: { bottom: 4, data: series.map(({ name }) => ({ name })) } }),
    grid: {
      left: 16,
      right: 32,
      top: title === undefined ? 40 : 64,
      bottom: legend ? 40 : 12,
      // these bounds include axis names and labels
      outerBoundsMode: 'same',
      outerBoundsContain: 'all',
    },
    xAxis: {
      type: x.scale,
      name: x.name,
      nameLocation: 'middle',
      ...(x.scale === 'category' && { data: x.categories }),
      ...(x.scale === 'value' && { scale: true }),
      axisLabel: { hideOverlap: true },
    },
    yAxis: {
      type: 'value',
      name: y.name,
      // bars are compared by length: their axis begins at 0
      scale: type !== 'bar',
    },
    series: series.map(({ name, points }) => ({
      name,
      type,
      data: points,
      ...(type === 'line' && { showSymbol: points.length <= MOST_DOTS }),
      ...(type === 'scatter' && { symbolSize: points.length > 1000 ? 4 : 7 }),
      ...(kind === 'histogram' && { barCategoryGap: '4%' }),
    })),
  };
}

/** The font of all charts, DejaVu Sans, which comes with the server; viewers without it use another. */
export const fontFamily = 'DejaVu Sans';
