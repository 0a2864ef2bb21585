/** Spec §5, §9. `test/repo/texts.test.ts` compares the texts with it. */
export const codeLength = 4
