import { forEachEngine } from '#test/kit/databases.ts'
import { trackingStoreContract } from './tracking.store.contract.ts'

forEachEngine(trackingStoreContract)
