import type {} from 'i18next'

/** The texts of the app: a key that no catalogue has fails the types. */
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'platform'
  }
  interface ResourceNamespaceMap {
    account: typeof import('../features/account/account.en.json')
    again: typeof import('../entities/order/again.en.json')
    'agent-orders': typeof import('../features/agent-orders/agent-orders.en.json')
    awb: typeof import('../entities/airway-bill/awb.en.json')
    'bag-days': typeof import('../entities/order/bag-days.en.json')
    booking: typeof import('../features/booking/booking.en.json')
    'branch-hours': typeof import('../entities/location/branch-hours.en.json')
    'cancel-order': typeof import('../entities/order/cancel-order.en.json')
    checkout: typeof import('../features/checkout/checkout.en.json')
    claims: typeof import('../features/claims/claims.en.json')
    emails: typeof import('../features/sessions/emails.en.json')
    'handover-photo': typeof import('../entities/tag/handover-photo.en.json')
    handovers: typeof import('../features/handovers/handovers.en.json')
    home: typeof import('../features/home/home.en.json')
    journey: typeof import('../entities/order/journey.en.json')
    keep: typeof import('../features/payment/keep.en.json')
    'kept-note': typeof import('../entities/order/kept-note.en.json')
    late: typeof import('../features/payment/late.en.json')
    location: typeof import('../entities/location/location.en.json')
    offline: typeof import('./offline.en.json')
    'order-card': typeof import('../entities/order/order-card.en.json')
    orders: typeof import('../features/orders/orders.en.json')
    pass: typeof import('../entities/order/pass.en.json')
    payment: typeof import('../features/payment/payment.en.json')
    platform: typeof import('../platform/platform.en.json')
    privacy: typeof import('../features/privacy/privacy.en.json')
    promise: typeof import('../entities/promise/promise.en.json')
    purchase: typeof import('../entities/purchase/purchase.en.json')
    push: typeof import('../entities/push/push.en.json')
    receiver: typeof import('../entities/order/receiver.en.json')
    'refund-note': typeof import('../entities/order/refund-note.en.json')
    'scan-link': typeof import('./scan-link.en.json')
    sessions: typeof import('../features/sessions/sessions.en.json')
    share: typeof import('../features/payment/share.en.json')
    shell: typeof import('./shell.en.json')
    'silence-note': typeof import('../entities/order/silence-note.en.json')
    stop: typeof import('../entities/stop/stop.en.json')
    tag: typeof import('../entities/tag/tag.en.json')
    terms: typeof import('../features/terms/terms.en.json')
    track: typeof import('../features/track/track.en.json')
    ui: typeof import('../ui/ui.en.json')
    'unsent-warning': typeof import('./unsent-warning.en.json')
  }
}
