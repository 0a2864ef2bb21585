export { actOnce } from '#server/desk/audit/act-once.ts'
export {
  disclose,
  findWait,
  recordView,
  recordViewOnce,
  recordViewWithin,
} from '#server/desk/audit/views.ts'
export { exportActs as exportActions } from '#server/features/history/acts.ts'
