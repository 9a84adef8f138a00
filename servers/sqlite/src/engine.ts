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
  /** the built module of a lane process, default `lane.js` beside this file */
  readonly laneFile?: string | undefined;
  /** the built module that draws charts, default `chart.js` beside this file */
  readonly chartFile?: string | undefined;
  readonly limits: LaneLimits;
}

/** The state that calls share; loaded with the first call that needs a database. */
export class Engine {
  readonly lanes: Lanes;
  /** folder of this server for SQLite's temporary files, results and undo points; removed when the server closes */
  readonly folder: string;
  /** notifies of this server's commits */
  readonly changes = new Changes();
  /** insights that callers have recorded */
  readonly insights = new Insights();
  /** the built module that draws charts */
  readonly chartFile: string;
  /** default time limit of a call, ms */
  readonly deadlineMs: number;

  #undo: UndoPoints | undefined;

  /** detects changes of databases by other programs */
  readonly watchLane: WatchLane;
  /** results that clients read page by page or as resources */
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

  /** copies of databases from before changes, created with the first use */
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
