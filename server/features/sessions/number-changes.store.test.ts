import { forEachEngine } from '#test/kit/databases.ts'
import { numberChangesStoreContract } from './number-changes.store.contract.ts'

forEachEngine(numberChangesStoreContract)
