/** A sign-in code has this many digits (spec §5, §9). */
export const codeLength = 4
