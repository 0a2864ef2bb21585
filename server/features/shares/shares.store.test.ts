import { forEachEngine } from '#test/kit/databases.ts'
import { sharesStoreContract } from './shares.store.contract.ts'

forEachEngine(sharesStoreContract)
