import { forEachEngine } from '#test/kit/databases.ts'
import { ordersStoreContract } from './orders.store.contract.ts'

forEachEngine(ordersStoreContract)
