export { endSharesOfOrders } from './shares.queries.ts'
