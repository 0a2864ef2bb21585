import { AccountExport } from '#shared/account/account.schemas.ts'
import { CheckoutRequest, PaymentOrderRequest } from '#shared/checkout/checkout.schemas.ts'
import { Claim } from '#shared/claims/claims.schemas.ts'
import { PublicConfig } from '#shared/config/config.api.ts'
import { DemoOrder } from '#shared/demo/demo.schemas.ts'
import { DeskOrder, DeskOrderRow, TimelineLine } from '#shared/desk/orders/desk-orders.schemas.ts'
import type { operations } from '#shared/operations.ts'
import {
  AgentOrderPage,
  Booking,
  BookingType,
  Location,
  Order,
  OrderPage,
  OrderRefund,
  PaymentStart,
} from '#shared/orders/orders.schemas.ts'
import { Center, PartnerAgent } from '#shared/partner/partner.schemas.ts'
import { PaymentExport } from '#shared/payments/payments.schemas.ts'
import { Coordinates } from '#shared/platform/platform.schemas.ts'
import { Problem, RefusedField } from '#shared/platform/problem.ts'
import { ReceiptExport } from '#shared/receipts/receipts.schemas.ts'
import { CodeExport, CodeSent, SessionView, User } from '#shared/sessions/sessions.schemas.ts'

/** The OpenAPI document describes each of these schemas once and refers to it by name. */
export const namedSchemas = {
  AccountExport,
  AgentOrderPage,
  Booking,
  BookingType,
  Center,
  CheckoutRequest,
  Claim,
  CodeExport,
  CodeSent,
  Coordinates,
  DemoOrder,
  Location,
  Order,
  OrderPage,
  OrderRefund,
  PartnerAgent,
  PaymentExport,
  PaymentOrderRequest,
  PaymentStart,
  Problem,
  PublicConfig,
  ReceiptExport,
  RefusedField,
  SessionView,
  User,
  // desk
  DeskOrder,
  DeskOrderRow,
  TimelineLine,
  // desk
} as const

type Feature = (typeof operations)[keyof typeof operations]['feature']

export const featureDescriptions: Readonly<Record<Feature, string>> = {
  config: 'Settings that the browser needs before anything else.',
  sessions: 'Signing in with a code sent to a phone, and the sessions that come of it.',
  partner: 'Agents and branches of the shipping partner.',
  checkout: 'Creating an order and opening its payment.',
  payments: 'Paying an order again, and the callbacks of the payment provider.',
  orders: 'Orders and the labels of their airway bills.',
  messages: 'Status callbacks of the SMS service.',
  push: 'Push messages about bags, for browsers whose user allows them.',
  receipts: 'Receipts, tax invoices and credit notes.',
  shares: 'Links that show the journey of bags to people without a session.',
  claims: 'Problems with bags: what their owners report, and what is answered.',
  passes: 'The barcode of a bag in a wallet, and the next opening of its branch in a calendar.',
  tracking: 'The courier’s reports of scans.',
  account: 'Export and deletion of personal data.',
  demo: 'Calls of testers and of the simulator. They exist in MODE=demo with DEMO_CONTROL_KEY only; elsewhere these addresses answer 404.',
  reports: 'Violations of the content security policy, reported by browsers.',
  // desk
  desk: 'The desk of the company’s staff. Its calls exist where DESK_OIDC_ISSUER is set (in MODE=demo by default); elsewhere these addresses answer 404.',
  'desk-orders':
    'Orders at the desk: search, list, page and the look at who their people are. They exist where the desk does.',
  work: 'What waits for a person at the desk, and which person has it. They exist where the desk does.',
  audit:
    'What staff did and looked at, and background work, for leads of the desk. They exist where the desk does.',
  'desk-actions':
    'What staff do about orders, and what a second person approves. They exist where the desk does.',
  stops: 'What is not sold, for leads of the desk. They exist where the desk does.',
  // desk
}
