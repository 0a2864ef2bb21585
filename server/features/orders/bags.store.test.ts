import { forEachEngine } from '#test/kit/databases.ts'
import { bagsStoreContract } from './bags.store.contract.ts'

forEachEngine(bagsStoreContract)
