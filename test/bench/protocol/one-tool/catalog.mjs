import { catalogOf } from '@rootbound/protocol';
import { add } from './add.mjs';

export const catalog = catalogOf([add]);
