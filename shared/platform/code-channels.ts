/** How a one-time code reaches a phone, in the order in which the ways are offered. */
export const codeChannels = ['sms', 'whatsapp', 'call'] as const
export type CodeChannel = (typeof codeChannels)[number]

/** The same, and e-mail: by it a code also reaches a proven address. */
export const sendChannels = [...codeChannels, 'email'] as const
export type SendChannel = (typeof sendChannels)[number]
