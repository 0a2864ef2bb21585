import { forEachEngine } from '#test/kit/databases.ts'
import { receiptsStoreContract } from './receipts.store.contract.ts'

forEachEngine(receiptsStoreContract)
