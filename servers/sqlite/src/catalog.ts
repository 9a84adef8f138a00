import { catalogOf } from '@rootbound/protocol';
import { appendInsight } from './tools/append-insight.ts';
import { backupDatabase } from './tools/backup-database.ts';
import { createTable } from './tools/create-table.ts';
import { describeTable } from './tools/describe-table.ts';
import { drawChart } from './tools/draw-chart.ts';
import { explainQuery } from './tools/explain-query.ts';
import { exportData } from './tools/export-data.ts';
import { importData } from './tools/import-data.ts';
import { listDatabases } from './tools/list-databases.ts';
import { listTables } from './tools/list-tables.ts';
import { readQuery } from './tools/read-query.ts';
import { restoreDatabase } from './tools/restore-database.ts';
import { runScript } from './tools/run-script.ts';
import { searchText } from './tools/search-text.ts';
import { writeQuery } from './tools/write-query.ts';

/** The tools of this server. The build replaces this module by one that lists them and loads each when it is called. */
export const catalog = catalogOf(
  [
    listDatabases,
    listTables,
    describeTable,
    readQuery,
    explainQuery,
    searchText,
    drawChart,
    writeQuery,
    runScript,
    importData,
    exportData,
    backupDatabase,
    restoreDatabase,
    appendInsight,
    createTable,
  ],
  { outputs: 'object' },
);
