/** What a killed process left; apart, so that the start does not load how changes are made. */
export { sweepStaging } from '@rootbound/kit/boundary';
