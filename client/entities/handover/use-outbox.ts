import { useEffect } from 'react'
import { onNetworkChange } from '#client/platform/connection.ts'
import { createStore, useStore } from '#client/platform/store.ts'
import { nextStep, type OutboxEntry } from './outbox.rules.ts'
import {
  keepHandover,
  onOutboxChange,
  readOutbox,
  type SendOutcome,
  sendOutbox,
  undoHandoverLater,
} from './outbox.ts'

/** While something waits. */
const sendEveryMs = 30_000

interface OutboxState {
  readonly entries: readonly OutboxEntry[]
  /** Of the last try. */
  readonly outcome: SendOutcome
  /** This browser stores nothing. */
  readonly isBlocked: boolean
}

export interface Outbox extends OutboxState {
  readonly send: () => Promise<void>
  /** Stores a confirmation and sends it. @returns false when it could not be stored: nothing is confirmed then. */
  readonly confirm: (awb: string) => Promise<boolean>
  readonly undo: (id: string) => Promise<void>
}

/**
 * The agent's confirmations. While any component uses them, they are sent at the start, when the network returns, when the
 * page is shown again, and every 30 seconds while something waits.
 */
export function useOutbox(agentId: number): Outbox {
  const { state, attend, ...actions } = senderOf(agentId)
  useEffect(attend, [attend])
  return { ...useStore(state), ...actions }
}

const senders = new Map<number, ReturnType<typeof createSender>>()

function senderOf(agentId: number) {
  const known = senders.get(agentId) ?? createSender(agentId)
  senders.set(agentId, known)
  return known
}

/** One for all components of this tab. */
function createSender(agentId: number) {
  const state = createStore<OutboxState>({ entries: [], outcome: 'done', isBlocked: false })
  let users = 0
  let stop = () => {}

  function change(part: Partial<OutboxState>): void {
    if (users > 0) state.set({ ...state.get(), ...part })
  }

  const read = () =>
    readOutbox(agentId).then(
      (entries) => change({ entries }),
      () => change({ isBlocked: true }),
    )

  async function send(): Promise<void> {
    change({ outcome: await sendOutbox(agentId).catch(() => 'unreachable' as const) })
  }

  function start(): () => void {
    const events = new AbortController()
    const whenShown = () => {
      if (document.visibilityState === 'visible') void send()
    }
    document.addEventListener('visibilitychange', whenShown, events)
    const ignoreNetwork = onNetworkChange((isBack) => {
      if (isBack) void send()
    })
    const ignoreChanges = onOutboxChange(() => void read())
    const timer = setInterval(() => {
      if (state.get().entries.some((entry) => nextStep(entry) !== 'rest')) void send()
    }, sendEveryMs)
    void read()
    void send()
    return () => {
      events.abort()
      ignoreNetwork()
      ignoreChanges()
      clearInterval(timer)
      state.set(state.initial)
    }
  }

  return {
    state,
    attend(): () => void {
      users += 1
      if (users === 1) stop = start()
      return () => {
        users -= 1
        if (users === 0) stop()
      }
    },
    send,
    async confirm(awb: string): Promise<boolean> {
      try {
        await keepHandover(agentId, awb)
      } catch {
        return false
      }
      void send()
      return true
    },
    async undo(id: string): Promise<void> {
      await undoHandoverLater(id)
      await send()
    },
  }
}
