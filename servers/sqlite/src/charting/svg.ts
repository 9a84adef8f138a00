import { BarChart, LineChart, ScatterChart } from 'echarts/charts';
import { GridComponent, LegendComponent, TitleComponent } from 'echarts/components';
import { type EChartsCoreOption, init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import type { Drawing } from './drawing.ts';

use([BarChart, LineChart, ScatterChart, GridComponent, LegendComponent, TitleComponent, SVGRenderer]);

/** Lines with more points than this are drawn without a dot on each. */
const MOST_DOTS = 60;

/** The chart as SVG text, the same for the same drawing in a new process; labels are escaped by the renderer. */
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
    // moments are shown as they are stored, wherever this runs
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
      // the names and labels of the axes are within these
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
      // bars are compared by their length, which begins at nothing
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

/** The font of all charts: DejaVu Sans, which comes with the server; viewers that lack it take theirs. */
export const fontFamily = 'DejaVu Sans';
