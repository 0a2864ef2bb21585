import { demoKeyHeader, readDemoOrder } from '#shared/demo/demo.api.ts'
import type { DemoOrder } from '#shared/demo/demo.schemas.ts'
import { dataFolderAt, demoControlKey } from '../lib/demo-key.mjs'
import { readToolConfig } from '../lib/tool.ts'
import type { Callback, CallbackMode, Outcome, Transaction } from './story.ts'

// The two sides of a payment: the provider's simulator, and the gateway.

export interface Payment {
  readonly id: string
  readonly reference: string | null
  readonly amount: number
  readonly currency: string
  readonly status: string
  readonly transactions: readonly Transaction[]
}

export interface Decision {
  readonly redirectUrl: string | null
  readonly callbacks: readonly Callback[]
}

/** `given`: a whole address that replaces HOST and the port. */
function urlOf(given: string | undefined, port: number): string {
  if (given?.trim()) return given.trim().replace(/\/$/, '')
  const { HOST: host } = readToolConfig()
  return `http://${['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host}:${port}`
}

async function request(url: string, init: RequestInit, name: string, variable: string) {
  const answer = await fetch(url, init).catch(() => {
    throw new Error(
      `The ${name} does not answer at ${new URL(url).origin}. Start it with npm start, or set ${variable}.`,
    )
  })
  const json: unknown = await answer.json().catch(() => undefined)
  return { status: answer.status, json: (json ?? {}) as { code?: string; message?: string } }
}

export interface Sides {
  readonly gateway: Gateway
  readonly provider: Provider
}

export function openSides(): Sides {
  const { PORT, MOCK_PARTNER_PORT } = readToolConfig()
  return {
    gateway: openGateway(urlOf(process.env.GATEWAY_URL, PORT), gatewayKey()),
    provider: openProvider(urlOf(process.env.MOCK_PARTNER_URL, MOCK_PARTNER_PORT)),
  }
}

/** The key of the environment, else that of the stack at PORT, else that of DATA_DIR. */
function gatewayKey(): string {
  const { DATA_DIR, PORT } = readToolConfig()
  const isElsewhere = Boolean(process.env.GATEWAY_URL?.trim())
  return demoControlKey((isElsewhere ? undefined : dataFolderAt(PORT)) ?? DATA_DIR)
}

export type Gateway = ReturnType<typeof openGateway>

export function openGateway(url: string, key: string) {
  return {
    url,
    /**
     * The order by its number, a reference or an airway bill.
     * @throws when the gateway does not return it
     */
    async readOrder(ref: string): Promise<DemoOrder> {
      const path = readDemoOrder.path.replace(':ref', encodeURIComponent(ref))
      const { status, json } = await request(
        `${url}${path}`,
        { headers: { [demoKeyHeader]: key } },
        'gateway',
        'GATEWAY_URL or PORT',
      )
      if (status === 200) return (json as { order: DemoOrder }).order
      if (json.code === 'ORDER_NOT_FOUND') throw new Error(`The gateway at ${url} has no order ${ref}.`)
      if (json.code === 'DEMO_KEY_REFUSED')
        throw new Error(
          `The gateway at ${url} refuses this DEMO_CONTROL_KEY: set the one it was started with, or the DATA_DIR that holds it.`,
        )
      if (status === 404)
        throw new Error(
          `${url} answers no testers' calls: it is no gateway, or runs with MODE=live or without DEMO_CONTROL_KEY.`,
        )
      throw new Error(json.message ?? `The gateway at ${url} answered HTTP ${status}.`)
    },
  }
}

export type Provider = ReturnType<typeof openProvider>

export function openProvider(url: string) {
  async function ask<T>(path: string, body?: unknown): Promise<T | undefined> {
    const init =
      body === undefined
        ? {}
        : {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(body),
          }
    const { status, json } = await request(
      `${url}/control${path}`,
      init,
      'simulator',
      'MOCK_PARTNER_URL or MOCK_PARTNER_PORT',
    )
    if (status === 200) return json as T
    if (status === 404) return undefined
    throw new Error(json.message ?? `The simulator at ${url} answered HTTP ${status}.`)
  }

  return {
    url,
    /** The payment of a merchant reference; undefined when this provider does not know it. */
    async readPayment(reference: string): Promise<Payment | undefined> {
      const found = await ask<{ payments: Payment[] }>(`/payments/${encodeURIComponent(reference)}`)
      return found?.payments[0]
    },
    /**
     * Resolves after the first attempt to deliver the callbacks.
     * @throws when the provider refuses
     */
    async decide(
      reference: string,
      wish: { outcome: Outcome; callback: CallbackMode; delayMs?: number },
    ): Promise<Decision> {
      const decision = await ask<Decision>(`/payments/${encodeURIComponent(reference)}/replay`, wish)
      if (!decision) throw new Error(`The simulator at ${url} has lost payment ${reference}.`)
      return decision
    },
  }
}
