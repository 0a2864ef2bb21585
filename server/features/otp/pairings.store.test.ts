import { forEachEngine } from '#test/kit/databases.ts'
import { pairingsStoreContract } from './pairings.store.contract.ts'

forEachEngine(pairingsStoreContract)
