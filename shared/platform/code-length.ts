/**
 * Digits of a one-time code (spec §5, §9). The contract, the field, log redaction and the simulator read it; the texts are
 * compared with it in `test/repo/texts.test.ts`.
 */
export const codeLength = 4
