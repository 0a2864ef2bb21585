import { forEachEngine } from '#test/kit/databases.ts'
import { agentListStoreContract } from './agent-list.store.contract.ts'

forEachEngine(agentListStoreContract)
