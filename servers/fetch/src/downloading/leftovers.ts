/** The removal of temporary files, in a module of its own so that the start loads no code that writes. */
export { sweepStaging } from '@rootbound/kit/boundary';
