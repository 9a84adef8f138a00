import { describeClient } from './matrix.ts';
import { sdks } from './sdk.ts';

for (const kind of sdks) describeClient(kind);
