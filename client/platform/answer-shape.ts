import type { TSchema } from 'typebox'
import { readConfig } from '#shared/config/config.api.ts'
import {
  cancelOrder,
  changeReceiver,
  listAgentOrders,
  listUserOrders,
  readAgentEvents,
  readOrder,
  readOrderEvents,
  renewPayment,
} from '#shared/orders/orders.api.ts'
import type { OperationShape } from '#shared/platform/operation.ts'
import { readAgentSession, readUserSession } from '#shared/sessions/sessions.api.ts'

/*
 * The browser checks these parts of an answer before a page shows it. This file is not in the build of the app, where
 * answer-checks.plugin.ts has compiled the checks.
 */

/** The operations whose answers decide what pages show. */
const checkedOperations: readonly OperationShape[] = [
  readUserSession,
  readAgentSession,
  readConfig,
  readOrder,
  readOrderEvents,
  renewPayment,
  cancelOrder,
  changeReceiver,
  listUserOrders,
  listAgentOrders,
  readAgentEvents,
]

/** The schema of each checked answer, or of each event of a stream, by method and path. */
export const answerShapes: Readonly<Record<string, TSchema>> = Object.fromEntries(
  checkedOperations.map((operation) => [
    `${operation.method} ${operation.path}`,
    shapeOf(operation.stream?.data ?? operation.response),
  ]),
)

interface JsonSchema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly TSchema[]
  readonly items?: TSchema
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
}

/**
 * The part of a schema that every release of the server keeps: the fields that are always there, and their types. Optional and
 * unknown fields, unknown words of a list and longer texts are no reason to refuse an answer.
 */
function shapeOf(schema: TSchema): TSchema {
  const { type, enum: words, const: value, anyOf, items, properties = {}, required } = schema as JsonSchema
  return {
    ...(type !== undefined && { type }),
    ...(words !== undefined && { type: 'string' }),
    // `success`; a literal word is one of a list.
    ...(typeof value === 'boolean' && { const: value }),
    ...(anyOf !== undefined && { anyOf: anyOf.map(shapeOf) }),
    ...(items !== undefined && { items: shapeOf(items) }),
    ...(required !== undefined && {
      required,
      properties: Object.fromEntries(required.map((name) => [name, shapeOf(properties[name] ?? {})])),
    }),
  }
}
