import { forEachEngine } from '#test/kit/databases.ts'
import { workStoreContract } from './work.store.contract.ts'

forEachEngine(workStoreContract)
