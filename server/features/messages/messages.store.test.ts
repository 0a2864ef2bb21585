import { forEachEngine } from '#test/kit/databases.ts'
import { messagesStoreContract } from './messages.store.contract.ts'

forEachEngine(messagesStoreContract)
