/** A module of its own, which the server imports late: the code that changes files is not loaded at the start. */
export { sweepStaging } from '@rootbound/kit/boundary';
