import { Type } from 'typebox'
import { Value } from 'typebox/value'
import {
  BillingData,
  CreateIntentionRequest,
  IntentionItem,
  UpdateIntentionRequest,
} from '#shared/wire/payment/payment.wire.ts'
import { textIn } from '../platform/references.ts'
import type { IntentionTerms } from './payment.records.ts'

/** Errors by field as Django REST framework writes them; empty when the value is valid. */
export type FieldErrors = { [field: string]: string[] | FieldErrors }
export type Body = Record<string, unknown>

export const required = ['This field is required.']

export const isRecord = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An id may come as an integer or as its digits. */
export function idOf(value: unknown): number | undefined {
  const id = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : undefined
}

export const isEmpty = (errors: FieldErrors | string[]): boolean => Object.keys(errors).length === 0

/** Adds the messages of a field; messages of a nested field are inside its object. */
function note(errors: FieldErrors, [field = '', ...inner]: string[], messages: string[]): void {
  if (inner.length === 0) {
    errors[field] ??= messages
    return
  }
  const nested = errors[field]
  const within: FieldErrors = nested === undefined || Array.isArray(nested) ? {} : nested
  errors[field] = within
  note(within, inner, messages)
}

/** Fields that may be null, which our gateway never sends. */
const nullable = ['special_reference', 'notification_url', 'redirection_url']

function withoutNulls(body: Body): Body {
  const fields = Object.entries(body).filter(([name, value]) => value !== null || !nullable.includes(name))
  return Object.fromEntries(fields)
}

/** @param isPartial an update, which names only what changes. The caller has checked its `accept_order_id`. */
export function errorsOfIntention(body: Body, isPartial: boolean): FieldErrors {
  const errors: FieldErrors = {}
  const schema = isPartial ? Type.Omit(UpdateIntentionRequest, ['accept_order_id']) : CreateIntentionRequest
  for (const error of Value.Errors(schema, withoutNulls(body))) {
    // The rows of a list share their messages.
    const path = error.instancePath
      .split('/')
      .slice(1)
      .filter((part) => !/^\d+$/.test(part))
    if (error.keyword === 'required')
      for (const name of error.params.requiredProperties) note(errors, [...path, name], required)
    else note(errors, path, [error.message])
  }
  return errors
}

/** The terms in a body without errors. */
export function termsOf(body: Body): Partial<IntentionTerms> {
  const terms: Partial<IntentionTerms> = {}
  if (typeof body.amount === 'number') terms.amountHalalas = body.amount
  if (Array.isArray(body.items)) terms.items = body.items.filter((item) => Value.Check(IntentionItem, item))
  if (Value.Check(BillingData, body.billing_data)) terms.billing = body.billing_data
  if (body.special_reference !== undefined) terms.reference = textIn(body.special_reference) ?? null
  if (typeof body.expiration === 'number') terms.expirationSeconds = body.expiration
  if (body.notification_url !== undefined) terms.notificationUrl = textIn(body.notification_url) ?? null
  if (body.redirection_url !== undefined) terms.redirectionUrl = textIn(body.redirection_url) ?? null
  return terms
}
