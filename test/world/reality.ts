import { AsyncLocalStorage } from 'node:async_hooks'
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import timersPromises from 'node:timers/promises'
import { install } from '@sinonjs/fake-timers'
import { second } from '#test/kit/basics/clock.ts'
import type { Random } from '#test/kit/basics/random.ts'
import { MailSocket } from './mail-socket.ts'

/*
 * What a program takes from outside, replaced: time, chance and the network. Nothing waits for real time, and everything
 * that happens follows from one source of chance.
 */

/** A program of the world. What it does runs under its name, so that its timers and requests end with it. */
export interface Program {
  readonly name: string
  isUp: boolean
  readonly timers: Set<NodeJS.Timeout>
  /** Time limits of its requests; they are over when none is under way. */
  readonly timeouts: Set<NodeJS.Timeout>
  requests: number
}

export const newProgram = (name: string): Program => ({
  name,
  isUp: true,
  timers: new Set(),
  timeouts: new Set(),
  requests: 0,
})

const running = new AsyncLocalStorage<Program>()

/** The program that runs now. */
export const currentProgram = (): Program | undefined => running.getStore()

/** Runs `work` as a part of `program`. */
export const as = <T>(program: Program, work: () => T): T => running.run(program, work)

/** A promise that never settles: what a program that has ended goes on with. */
export const never = <T>(): Promise<T> => new Promise(() => {})

export type Fetch = typeof globalThis.fetch

export interface Reality {
  /** Epoch milliseconds. */
  now(): number
  /** When the next timer that is not a mere round of a loop is due. */
  nextTimer(): number | undefined
  /** Lets time pass at once: each timer that is due meanwhile runs once. */
  pass(ms: number): void
  /** Lets everything go on that waits for nothing but itself. */
  settle(): Promise<void>
  /** Ends a program: its timers never run. */
  end(program: Program): void
  /** Gives back what was replaced. */
  restore(): void
}

/** Rounds of the event loop after which nothing of one step goes on by itself. More would change no result. */
const rounds = 3

/** Most rounds of loops find nothing, and such rounds would take four fifths of the time of a world. */
const shortestRoundMs = 10 * second

/** @param startAt epoch milliseconds */
export function replaceReality(random: Random, startAt: number, fetch: Fetch): Reality {
  const real = {
    setImmediate: globalThis.setImmediate,
    fetch: globalThis.fetch,
    timeout: AbortSignal.timeout,
    any: AbortSignal.any,
    random: Math.random,
    randomBytes: crypto.randomBytes,
    randomUUID: crypto.randomUUID,
    randomInt: crypto.randomInt,
    webUUID: globalThis.crypto.randomUUID,
    pause: timersPromises.setTimeout,
    memoryUsage: process.memoryUsage,
    connect: net.connect,
  }
  const clock = install({
    now: startAt,
    toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
  })
  const faked = {
    setTimeout: globalThis.setTimeout,
    setInterval: globalThis.setInterval,
    clearTimeout: globalThis.clearTimeout,
  }
  /** When each timer is due, without intervals. */
  const due = new Map<NodeJS.Timeout, number>()

  type Callback = (...values: unknown[]) => void
  const setTimeoutHere = (callback: Callback, ms = 0, ...values: unknown[]): NodeJS.Timeout => {
    const program = running.getStore()
    const run = AsyncLocalStorage.bind(callback)
    const timer = faked.setTimeout(() => {
      forget(timer)
      run(...values)
    }, ms)
    const forget = (one: NodeJS.Timeout) => {
      due.delete(one)
      program?.timers.delete(one)
    }
    // What is left of a program that has ended does nothing any more.
    if (program?.isUp === false) {
      faked.clearTimeout(timer)
      return timer
    }
    due.set(timer, clock.now + ms)
    program?.timers.add(timer)
    return timer
  }
  const setIntervalHere = (callback: Callback, ms = 0, ...values: unknown[]): NodeJS.Timeout => {
    const run = AsyncLocalStorage.bind(callback)
    const program = running.getStore()
    const timer = faked.setInterval(() => run(...values), Math.max(ms, shortestRoundMs))
    if (program?.isUp === false) faked.clearTimeout(timer)
    program?.timers.add(timer)
    return timer
  }
  const clearHere = (timer: NodeJS.Timeout | undefined): void => {
    if (timer === undefined || timer === null) return
    due.delete(timer)
    running.getStore()?.timers.delete(timer)
    faked.clearTimeout(timer)
  }
  Object.assign(globalThis, {
    setTimeout: setTimeoutHere,
    setInterval: setIntervalHere,
    clearTimeout: clearHere,
    clearInterval: clearHere,
    fetch,
  })
  AbortSignal.timeout = (ms) => {
    const controller = new AbortController()
    const timer = setTimeoutHere(
      () => controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')),
      ms,
    )
    running.getStore()?.timeouts.add(timer)
    return controller.signal
  }
  // The system's own keeps each signal that is listened to until it is aborted: those of programs that ended, for ever.
  AbortSignal.any = (signals) => {
    const controller = new AbortController()
    for (const signal of signals) {
      const abort = () => controller.abort(signal.reason)
      if (signal.aborted) abort()
      else signal.addEventListener('abort', abort, { once: true })
    }
    return controller.signal
  }

  timersPromises.setTimeout = (<T>(ms: number, value: T, { signal }: { signal?: AbortSignal } = {}) =>
    new Promise<T>((resolve, reject) => {
      const fail = () => reject(signal?.reason)
      if (signal?.aborted) return fail()
      const timer = setTimeoutHere(() => {
        signal?.removeEventListener('abort', fail)
        resolve(value)
      }, ms)
      signal?.addEventListener('abort', () => {
        clearHere(timer)
        fail()
      })
    })) as typeof timersPromises.setTimeout

  const bytes = (length: number) => {
    const drawn = Buffer.alloc(length)
    for (let at = 0; at < length; at += 1) drawn[at] = random.between(0, 255)
    return drawn
  }
  const uuid = () => {
    const hex = Array.from({ length: 4 }, () =>
      random.between(0, 0xffff_ffff).toString(16).padStart(8, '0'),
    ).join('')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}` as const
  }
  // Asking the system takes a sixth of the time of a world.
  const memory = process.memoryUsage()
  process.memoryUsage = Object.assign(() => memory, { rss: () => memory.rss })
  net.connect = ((_options: unknown, onConnect: () => void) =>
    new MailSocket(onConnect)) as unknown as typeof net.connect
  Math.random = random.next
  Object.assign(crypto, {
    randomBytes: bytes,
    randomUUID: uuid,
    randomInt: (low: number, high?: number) =>
      high === undefined ? random.between(0, low - 1) : random.between(low, high - 1),
  })
  syncBuiltinESMExports()
  globalThis.crypto.randomUUID = uuid

  return {
    now: () => clock.now,
    nextTimer: () => {
      let next: number | undefined
      for (const at of due.values()) if (next === undefined || at < next) next = at
      return next
    },
    pass: (ms) => void clock.jump(ms),
    async settle() {
      for (let round = 0; round < rounds; round += 1)
        await new Promise<void>((resolve) => real.setImmediate(resolve))
    },
    end(program) {
      program.isUp = false
      for (const timer of [...program.timers, ...program.timeouts]) {
        due.delete(timer)
        faked.clearTimeout(timer)
      }
      program.timers.clear()
      program.timeouts.clear()
    },
    restore() {
      clock.uninstall()
      clock.reset()
      timersPromises.setTimeout = real.pause
      globalThis.fetch = real.fetch
      AbortSignal.timeout = real.timeout
      AbortSignal.any = real.any
      Math.random = real.random
      process.memoryUsage = real.memoryUsage
      net.connect = real.connect
      Object.assign(crypto, {
        randomBytes: real.randomBytes,
        randomUUID: real.randomUUID,
        randomInt: real.randomInt,
      })
      syncBuiltinESMExports()
      globalThis.crypto.randomUUID = real.webUUID
    },
  }
}

/** To call when a request of `program` has ended: its time limits are not waited for. */
export function endRequest(program: Program): void {
  program.requests -= 1
  if (program.requests > 0) return
  for (const timer of program.timeouts) clearTimeout(timer)
  program.timeouts.clear()
}
