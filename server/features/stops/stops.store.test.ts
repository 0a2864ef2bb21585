import { forEachEngine } from '#test/kit/databases.ts'
import { stopsStoreContract } from './stops.store.contract.ts'

forEachEngine(stopsStoreContract)
