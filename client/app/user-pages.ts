import { lazyPart } from './lazy-part.ts'

/** The pages of users, in chunks of their own. */

export const BookingPage = lazyPart(
  async () => (await import('#client/features/booking/booking.page.tsx')).BookingPage,
)
export const CheckoutPage = lazyPart(
  async () => (await import('./checkout-with-receiver.tsx')).CheckoutWithReceiver,
)
export const PaymentPage = lazyPart(
  async () => (await import('#client/features/payment/payment.page.tsx')).PaymentPage,
)
export const ThankYouPage = lazyPart(
  async () => (await import('#client/features/payment/thank-you.page.tsx')).ThankYouPage,
)
export const OrdersPage = lazyPart(
  async () => (await import('#client/features/orders/orders.page.tsx')).OrdersPage,
)
export const OrderPage = lazyPart(
  async () => (await import('#client/features/payment/order.page.tsx')).OrderPage,
)
