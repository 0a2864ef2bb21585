export const codeChannels = ['sms', 'whatsapp', 'call'] as const
export type CodeChannel = (typeof codeChannels)[number]

/** E-mail reaches a proven address. */
export const sendChannels = [...codeChannels, 'email'] as const
export type SendChannel = (typeof sendChannels)[number]
