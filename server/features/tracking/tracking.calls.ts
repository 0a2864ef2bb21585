export { followBag, followBagClosely } from './following.ts'
