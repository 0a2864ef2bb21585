import { forEachEngine } from '#test/kit/databases.ts'
import { pushStoreContract } from './push.store.contract.ts'

forEachEngine(pushStoreContract)
