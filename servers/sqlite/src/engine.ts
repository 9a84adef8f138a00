import { join } from 'node:path';
import { makeOwnFolder, removeOwnFolder } from '@rootbound/kit/boundary';
import { Changes } from './changes.ts';
import { Insights } from './insights/insights.ts';
import { Lanes } from './lanes/lanes.ts';
import type { LaneLimits } from './lanes/limits.ts';
import { Results } from './results/store.ts';
import { UndoPoints } from './undo/points.ts';
import { WatchLane } from './watching/lane.ts';

export interface EngineOptions {
  /** the built module that lanes run: `lane.js` beside the file that this runs from, unless given */
  readonly laneFile?: string | undefined;
  /** the built module that draws charts: `chart.js` beside it, unless given */
  readonly chartFile?: string | undefined;
  readonly limits: LaneLimits;
}

/** What works with databases; loaded with the first call that needs one. */
export class Engine {
  readonly lanes: Lanes;
  /** a folder of this server's own: what SQLite spills, results and undo points; it goes with the server */
  readonly folder: string;
  /** tells of what this server commits */
  readonly changes = new Changes();
  /** what callers have found out */
  readonly insights = new Insights();
  /** the built module that draws charts */
  readonly chartFile: string;
  /** how long a call may take unless it says otherwise */
  readonly deadlineMs: number;

  #undo: UndoPoints | undefined;

  /** looks at databases for what others have changed */
  readonly watchLane: WatchLane;
  /** results that are read page by page or as resources */
  readonly results: Results;

  constructor({ laneFile, chartFile, limits }: EngineOptions) {
    this.chartFile = chartFile ?? join(import.meta.dirname, 'chart.js');
    this.deadlineMs = limits.deadlineMs;
    this.folder = makeOwnFolder('rootbound-sqlite');
    const lane = {
      file: laneFile ?? join(import.meta.dirname, 'lane.js'),
      limits,
      temporary: this.folder,
    };
    this.lanes = new Lanes(lane);
    this.watchLane = new WatchLane(lane);
    this.results = new Results(this.folder);
    this.lanes.warm();
  }

  /** copies of databases from before changes */
  get undo(): UndoPoints {
    this.#undo ??= new UndoPoints(this.folder);
    return this.#undo;
  }

  async close(): Promise<void> {
    this.results.close();
    await Promise.all([this.lanes.close(), this.watchLane.close()]);
    removeOwnFolder(this.folder);
  }
}
