import { forEachEngine } from '#test/kit/databases.ts'
import { sessionsStoreContract } from './sessions.store.contract.ts'

forEachEngine(sessionsStoreContract)
