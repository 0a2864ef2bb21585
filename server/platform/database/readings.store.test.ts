import { forEachEngine } from '#test/kit/databases.ts'
import { readingsStoreContract } from './readings.store.contract.ts'

forEachEngine(readingsStoreContract)
