/** Removes temporary files of killed processes; in a module of its own, so that the start loads no code that writes. */
export { sweepStaging } from '@rootbound/kit/boundary';
