import { forEachEngine } from '#test/kit/databases.ts'
import { deskOrdersStoreContract } from './desk-orders.store.contract.ts'

forEachEngine(deskOrdersStoreContract)
