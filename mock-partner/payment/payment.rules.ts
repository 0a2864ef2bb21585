import { Value } from 'typebox/value'
import { BillingData, IntentionItem } from '#shared/wire/payment/payment.wire.ts'
import type { IntentionTerms } from './payment.records.ts'

/** Errors by field as Django REST framework writes them; empty when the value is valid. */
export type FieldErrors = { [field: string]: string[] | FieldErrors }
export type Body = Record<string, unknown>

/** 36 days: default and maximum (docs/wires/payment.md P9). */
export const longestExpirationSeconds = 3_110_400

export const required = ['This field is required.']

export const isRecord = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An id may come as an integer or as its digits. */
export function idOf(value: unknown): number | undefined {
  const id = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : undefined
}

export const isEmpty = (errors: FieldErrors | string[]): boolean => Object.keys(errors).length === 0

function errorsOfBilling(value: unknown): FieldErrors | string[] {
  if (value === undefined) return required
  if (!isRecord(value)) return ['Invalid data. Expected a dictionary.']
  const errors: FieldErrors = {}
  for (const field of ['first_name', 'last_name', 'email', 'phone_number'] as const) {
    const text = value[field]
    if (text === undefined || text === null) errors[field] = required
    else if (typeof text !== 'string') errors[field] = ['Not a valid string.']
    else if (text.trim() === '') errors[field] = ['This field may not be blank.']
    else if (field.endsWith('_name') && text.length > 50)
      errors[field] = ['Ensure this field has no more than 50 characters.']
    else if (field === 'email' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text))
      errors[field] = ['Enter a valid email address.']
  }
  return errors
}

function errorsOfItems(value: unknown): FieldErrors | string[] {
  if (!Array.isArray(value)) return ['Expected a list of items.']
  const errors: FieldErrors = {}
  for (const item of value) {
    for (const field of ['name', 'amount'])
      if (!isRecord(item) || item[field] === undefined) errors[field] = required
    if (Object.keys(errors).length === 0 && !Value.Check(IntentionItem, item))
      errors.name = ['Ensure this field has no more than 50 characters.']
  }
  return errors
}

function errorsOfAmount(amount: unknown): string[] {
  if (amount === undefined) return required
  if (!Number.isSafeInteger(amount)) return ['A valid integer is required.']
  return Number(amount) <= 0 ? ['Ensure this value is greater than or equal to 1.'] : []
}

function errorsOfCurrency(currency: unknown): string[] {
  if (currency === undefined) return required
  return typeof currency === 'string' ? [] : ['Not a valid string.']
}

function errorsOfMethods(methods: unknown): string[] {
  if (methods === undefined) return required
  return Array.isArray(methods) && methods.length > 0 ? [] : ['This list may not be empty.']
}

function errorsOfExpiration(expiration: unknown): string[] {
  const isInRange =
    Number.isSafeInteger(expiration) &&
    Number(expiration) > 0 &&
    Number(expiration) <= longestExpirationSeconds
  return isInRange ? [] : [`Ensure this value is between 1 and ${longestExpirationSeconds}.`]
}

function errorsOfText(field: string, value: unknown): string[] {
  if (value === null) return []
  if (typeof value !== 'string') return ['Not a valid string.']
  return field.endsWith('_url') && !URL.canParse(value) ? ['Enter a valid URL.'] : []
}

/** @param isPartial an update, which names only what changes. */
export function errorsOfIntention(body: Body, isPartial: boolean): FieldErrors {
  const errors: FieldErrors = {}
  const note = (field: string, found: FieldErrors | string[]): void => {
    if (!isEmpty(found)) errors[field] = found
  }
  const isChecked = (field: string): boolean => !isPartial || body[field] !== undefined

  if (isChecked('amount')) note('amount', errorsOfAmount(body.amount))
  if (!isPartial) note('currency', errorsOfCurrency(body.currency))
  if (isChecked('payment_methods')) note('payment_methods', errorsOfMethods(body.payment_methods))
  if (isChecked('billing_data')) note('billing_data', errorsOfBilling(body.billing_data))
  if (body.items !== undefined) note('items', errorsOfItems(body.items))
  if (body.extras !== undefined && !isRecord(body.extras)) note('extras', ['Expected a dictionary of items.'])
  if (body.expiration !== undefined) note('expiration', errorsOfExpiration(body.expiration))
  for (const field of ['special_reference', 'notification_url', 'redirection_url'])
    if (body[field] !== undefined) note(field, errorsOfText(field, body[field]))
  return errors
}

const textOrNull = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null

/** The terms in a body without errors. */
export function termsOf(body: Body): Partial<IntentionTerms> {
  const terms: Partial<IntentionTerms> = {}
  if (typeof body.amount === 'number') terms.amountHalalas = body.amount
  if (Array.isArray(body.items)) terms.items = body.items.filter((item) => Value.Check(IntentionItem, item))
  if (Value.Check(BillingData, body.billing_data)) terms.billing = body.billing_data
  if (body.special_reference !== undefined) terms.reference = textOrNull(body.special_reference)
  if (typeof body.expiration === 'number') terms.expirationSeconds = body.expiration
  if (body.notification_url !== undefined) terms.notificationUrl = textOrNull(body.notification_url)
  if (body.redirection_url !== undefined) terms.redirectionUrl = textOrNull(body.redirection_url)
  return terms
}
