/** A code has this many digits (spec §5, §9). `test/repo/texts.test.ts` compares the texts with this number. */
export const codeLength = 4
