import { forEachEngine } from '#test/kit/databases.ts'
import { paymentsStoreContract } from './payments.store.contract.ts'

forEachEngine(paymentsStoreContract)
