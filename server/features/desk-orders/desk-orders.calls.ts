export { readForTesters } from '#server/features/account/stored-order.ts'
