import { forEachEngine } from '#test/kit/databases.ts'
import { deskStoreContract } from './desk.store.contract.ts'

forEachEngine(deskStoreContract)
