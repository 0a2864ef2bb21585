import { forEachEngine } from '#test/kit/databases.ts'
import { handoversStoreContract } from './handovers.store.contract.ts'

forEachEngine(handoversStoreContract)
