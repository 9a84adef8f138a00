import { catalogOf } from '../../../src/index.ts';
import { add } from './add.ts';

export const catalog = catalogOf([add]);
