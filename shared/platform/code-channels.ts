export const codeChannels = ['sms', 'whatsapp', 'call'] as const
export type CodeChannel = (typeof codeChannels)[number]

/** An e-mail with a code goes only to an address that its owner has proven. */
export const sendChannels = [...codeChannels, 'email'] as const
export type SendChannel = (typeof sendChannels)[number]
