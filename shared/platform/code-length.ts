/** Digits of a sign-in code (spec §5, §9). */
export const codeLength = 4
