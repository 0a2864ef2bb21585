import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { brand } from '#shared/platform/brand.ts'
import { codeLength } from '#shared/platform/code-length.ts'

type Json = Readonly<Record<string, unknown>>

const code = '1234567890'.slice(0, codeLength)
const noon = '2027-05-15T09:00:00.000Z'
const id = '42'

const examples: Readonly<Record<string, readonly unknown[]>> = {
  address: ['Camp 14, Al Jawharah Street, Mina'],
  addressAR: ['حي العليا، طريق العروبة'],
  addressEN: ['Al Olaya Dist., Uruba St.'],
  agentCode: ['A01'],
  amount: [50],
  amountHalalas: [5000],
  answerBy: ['2027-05-26'],
  auth: ['BTBZMqHH6r4Tts7J_aSIgg'],
  awb: ['231200021879'],
  awbFile: ['JVBERi0xLjcK'],
  base: [50],
  centerCode: ['RUH'],
  city: ['Riyadh'],
  code: [code, 'RUH'],
  currency: ['SAR'],
  email: ['maryam@example.com'],
  emailCode: [code],
  endpoint: ['https://fcm.googleapis.com/fcm/send/example'],
  from: ['09:00'],
  hours: [24],
  id: ['3f0c5f0e-6a0f-4a57-9d6c-0b9a2f1d7c11', id, 42],
  language: ['en'],
  lateSince: ['2027-05-19'],
  latitude: [21.4133],
  limit: ['20'],
  longitude: [39.8933],
  message: ['42.'],
  name: ['Maryam Ali', 'before-hajj'],
  noOfPackages: [1],
  number: ['CL-118', '1'],
  p256dh: ['BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'],
  pairing: ['482913'],
  phone: ['0512345678'],
  phoneCode: [code],
  place: ['Riyadh'],
  receiver: ['Sara Ali'],
  ref: [id],
  state: ['HANDED_OVER'],
  status: ['PAID'],
  secondPhone: ['0512345679'],
  text: ['A wheel of my bag is broken.'],
  to: ['23:00'],
  token: ['example', 'Dn3TEm2WQp6kVgR8yLb1ZA'],
  transactionId: ['192036465'],
  type: ['FROM_MINA'],
  url: [`https://${brand.contact.email.split('@')[1]}/track/example`],
  userId: [1, '1'],
  'idempotency-key': ['3f0c5f0e-6a0f-4a57-9d6c-0b9a2f1d7c11'],
}

const formats: Readonly<Record<string, string>> = { 'date-time': noon, date: noon.slice(0, 10) }

const usual: readonly unknown[] = ['example', true, 1, id, noon, null]

export function exampleOf(schema: unknown, name = ''): unknown {
  const {
    const: only,
    enum: words,
    anyOf: [choice] = [],
    type,
    properties = {},
    items,
    format,
    maxProperties,
  } = schema as {
    const?: unknown
    enum?: readonly unknown[]
    anyOf?: readonly unknown[]
    type?: string
    properties?: Json
    items?: unknown
    format?: string
    maxProperties?: number
  }
  const takes = (value: unknown) => Value.Check(schema as TSchema, value)
  const named = examples[name]?.find(takes)
  if (named !== undefined) return named
  if (only !== undefined) return only
  if (words !== undefined) return words[0]
  if (choice !== undefined) return exampleOf(choice, name)
  if (type === undefined || format === 'binary') return undefined
  if (type === 'object')
    return Object.fromEntries(
      Object.entries(properties)
        .map(([field, value]) => [field, exampleOf(value, field)] as const)
        .filter(([, value]) => value !== undefined)
        .slice(0, maxProperties),
    )
  if (type === 'array') return [exampleOf(items, name)]
  return formats[format ?? ''] ?? usual.find(takes)
}
