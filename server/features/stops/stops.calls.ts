export { readStopGuard } from './stops.queries.ts'
export { findStopRefusal, listShownStops } from './stops.ts'
