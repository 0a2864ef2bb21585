import { forEachEngine } from '#test/kit/databases.ts'
import { usersStoreContract } from './users.store.contract.ts'

forEachEngine(usersStoreContract)
