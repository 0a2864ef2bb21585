export interface Wordmark {
  readonly width: number
  readonly height: number
  readonly strokes: readonly (readonly [path: string, width: number])[]
}

/** Drawings of product names. A name without a drawing is shown as text. */
export const wordmarks: Readonly<Record<string, Wordmark>> = {
  أمتعتي: {
    width: 206,
    height: 118,
    strokes: [
      [
        'M198 70V25M170 70a14 14 0 1 1 14-14a14 14 0 0 1-14 14H20a12 12 0 0 0 0 24H204M138 70V46M95 69l19-27H76ZM52 70V46',
        12,
      ],
      ['M205 2h-8v7h8l-14 6', 5],
      ['M124 28h9M143 28h9M38 28h9M57 28h9M38 113h9M57 113h9', 9],
    ],
  },
  Amtiati: {
    width: 286,
    height: 78,
    strokes: [
      [
        'M14 72L40 10L66 72M0 52H56M84 72V26M84 46a13 13 0 0 1 26 0V72M110 46a13 13 0 0 1 26 0V72M160 8V58a8 8 0 0 0 8 8h6M148 32h26M190 26V72M222 33a16.5 16.5 0 1 0 0 33a16.5 16.5 0 0 0 0-33M238.5 26V72M257 8V58a8 8 0 0 0 8 8h2M246 32h21M280 26V72',
        12,
      ],
      ['M184 11h12M274 11h12', 11],
    ],
  },
}
