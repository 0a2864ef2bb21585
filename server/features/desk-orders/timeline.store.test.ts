import { forEachEngine } from '#test/kit/databases.ts'
import { timelineStoreContract } from './timeline.store.contract.ts'

forEachEngine(timelineStoreContract)
