import { forEachEngine } from '#test/kit/databases.ts'
import { ordersStoreLaws } from './orders.store.contract.ts'

forEachEngine(ordersStoreLaws)
