/**
 * The demo account of each service: accepted by the simulator and the gateway's defaults. `MODE=live` refuses every one
 * of them.
 */
export const demoAccounts = {
  otp: {
    accountSid: 'AC00000000000000000000000000000de1',
    authToken: 'demo-otp-auth-token',
    userServiceSid: 'VA00000000000000000000000000000001',
    agentServiceSid: 'VA00000000000000000000000000000002',
  },
  messaging: {
    accountSid: 'AC00000000000000000000000000000de2',
    authToken: 'demo-messaging-auth-token',
    from: 'Amtiati',
  },
  payment: {
    secretKey: 'sau_sk_test_demo0000000000000000000000000000',
    publicKey: 'sau_pk_test_demo0000000000000000000000000000',
    apiKey: 'demo-payment-api-key',
    hmacSecret: 'demodemodemodemodemodemodemodemo',
    integrationId: 500_001,
  },
  shipping: {
    apiKey: 'demo-shipping-api-key',
    webhookKey: 'demo-shipping-webhook-key',
  },
} as const
