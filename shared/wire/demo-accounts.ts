/** The simulator accepts these accounts. The gateway uses them by default, and refuses them in `MODE=live`. */
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
  identity: { clientId: 'amtiati-desk', clientSecret: 'demo-desk-client-secret' },
  /** The wallet's signing key, PKCS 8 in base64. It signs passes that only the simulator accepts. */
  wallet: {
    issuerId: '3388000000000000001',
    clientEmail: 'passes@amtiati.example',
    privateKey:
      'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDIF6J7hvO8dAERdLGRaSFrYeWeaZsoxPiMdkWAExvSZlHXF7DsonebtpO3KXH7gcefa1jZhlSbU8UKiFufYdn5vJdyaJS4nq8X90WV0n4zG7iKkLmRS3E+OwPAxkbCt5eKc3QU14vFaCl7F3xa/NxZuJ80obMi4JMeZdMqd2Lll5ezz4+HrB/W3fk01dTzuC7meVeEBh4sCXmSaRNhuD/tA7KGgEdkFvix96hRMCfNeDispQdI7RIq8bDoEx198X7Gvhv0sAj/Lo8kzcSCWfgWHG+KpsCXPfFUbWusUBkxWx7wNOX6m5/WdbbP+Nm2fa9x9rbx7IBOveIq9EVEXTm/AgMBAAECggEAIKhe4Ct8D5edbwRtUO7oQfcF+69/4A0aBg7ttAQqZ9JEbEdVHKI9xF/txxjQHj0l4Dqsk0BOAdYP1HLCBYb6hTzHOSihkWpw6If2xwfGij/thEwvxWubTY1jROz3sqM1bCcA3L/7c5pXHtyL8uvPaSNtdLEppDkkOfNjnkxDC3bCueAsvBLkxeGRdSHJGL6OIaQcVpLwYMLM4MaT+aPUYmsHlvfwsy5+U0ZLzka28Ir2jlEbCba9ebBH+8dQwyFus/VoqAkJgDV7Y7sFFYWf7QcALqOEsePdJgC+R5w1nmGNNuvxoQ1svIIbOipqQ4ds9FleIS8geAdmKCZu0ot2PQKBgQD817pqX3wEmuFLnttNH2VNkYwlJYwoMQKdc5n3GvHZM7WRH4MmXH642Z7nv6QuIqUQmDetKolusiXwrtRJQiFtFvvxl0uzS156tCLu6IRjK5WlM7ePKvWusn1xGBKRWUS0HPzMBXQ6B476TlAvBTJfIsXAZ+4BxAKOuH3/JE6d2wKBgQDKl0cE3YaReBMkotY7ChkDVf9sGmd2NYnzKoNqiEjS61bdqOlkZfhaOZJkoMF48vkvD8Gfskn0MBTEOyEE+YBmYFV7ki8C1AoB6SwmLrqWIhCguoboofyVQLAhcBoITXmkN5pC+p8OW8BLUg12aYCf//cRyRyG0awo8NmxSToi7QKBgQCktNNW4ASl607AOCebwcv4D8w/looK1IJjlx7A/eh2GV05wFFq9+4E9J6zUP/enerxOHdscr08Qwi8FOdtIYssyUAuTOSfU4WkYRwwjX9QKuA80cfNl6qbtuJIfen6jTBYNFnpfdQMyUe2frV1K+l4V+qCQDGnLMyNtFk/j6M26QKBgAHS5tLGY8W/fPyhcqhJaPw8s/X3LuNDjCBiS5iT7YPolnmcYa2DtX6qcgTx5Yv/M/sWeznC0yOdozI5Dg0LafqB94MLR90Qp55oyPr3BLsBR4EK7Nf/TVTSpkNGzRUyDVxLG9pqgzAP52VGMdTVElFeboz8cINOM+ySboNIE3vpAoGAE88+cpGhVieclMXpLQody3Kx505foIlPyQVU4c0WqQqwQxCE0e+Wn7GxfiAvp0rNdfsxecn+oe9DFoQkhF4pm9bBMM1XPW2FLmV4OZSG/KkRUqcsTeDTxU9QJdhCyGndroiC+rIaeMKxMrF2HOgT7bvZZNGVYM8pN07BAtz3Zjg=',
  },
} as const
