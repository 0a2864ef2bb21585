import { forEachEngine } from '#test/kit/databases.ts'
import { travelStoreContract } from './travel.store.contract.ts'

forEachEngine(travelStoreContract)
