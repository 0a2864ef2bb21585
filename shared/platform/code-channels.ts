/** How a one-time code reaches a phone, in the order in which the ways are offered. */
export const codeChannels = ['sms', 'whatsapp', 'call'] as const
export type CodeChannel = (typeof codeChannels)[number]
